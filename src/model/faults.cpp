#include "model/faults.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/words.hpp"

namespace salvo::model {
namespace {

class Inspection {
 public:
  explicit Inspection(const Problem& problem) : problem_(problem) {}

  Issues run() {
    if (problem_.states.empty()) complain("it has no states");
    if (problem_.experiments.empty()) complain("it has no experiment");
    for (const State& state : problem_.states) {
      need(state.symbol, fmt::format("the symbol of {}", state.id));
      need(state.derivative, fmt::format("the equation of {}", state.id));
    }
    for (const Parameter& parameter : problem_.parameters)
      need(parameter.symbol, fmt::format("the symbol of {}", parameter.id));
    for (const Observable& observable : problem_.observables) {
      need(observable.formula, fmt::format("the formula of {}", observable.id));
      if (observable.noise) need(*observable.noise, fmt::format("the noise of {}", observable.id));
    }
    for (const Input& input : problem_.inputs) {
      need(input.symbol, fmt::format("the symbol of {}", input.id));
      if (input.of_experiment.size() != problem_.experiments.size())
        complain(fmt::format("the input '{}' is known in {} of {} experiments", input.id, input.of_experiment.size(),
                             problem_.experiments.size()));
    }
    for (const Experiment& experiment : problem_.experiments) look_at(experiment);
    for (const auto* list : {&problem_.measurements, &problem_.validation})
      for (std::size_t i = 0; i < list->size() && issues_.size() < enough; ++i) look_at((*list)[i], i);
    return std::move(issues_);
  }

 private:
  static constexpr std::size_t enough = 20;

  void complain(std::string message) { issues_.push_back({.file = problem_.file, .message = std::move(message)}); }

  bool is_node(NodeId node) const { return node >= 0 && node < problem_.graph.size(); }
  void need(NodeId node, const std::string& what) {
    if (!is_node(node)) complain(what + " is missing");
  }

  void look_at(const Experiment& experiment) {
    if (!std::isfinite(experiment.start) || is_too_late(experiment.start))
      complain(fmt::format("the experiment '{}' starts at t = {}; times beyond {} need another unit", experiment.id,
                           experiment.start, latest_time));
    if (experiment.initial.size() != problem_.states.size())
      complain(fmt::format("the experiment '{}' has {} for {}", experiment.id,
                           counted(std::ssize(experiment.initial), "initial value"),
                           counted(std::ssize(problem_.states), "state")));
    for (const Initial& initial : experiment.initial)
      if (const auto* node = std::get_if<NodeId>(&initial))
        need(*node, fmt::format("an initial value of the experiment '{}'", experiment.id));
    for (const auto& [parameter, value] : experiment.overrides) {
      if (parameter < 0 || parameter >= std::ssize(problem_.parameters))
        complain(fmt::format("the experiment '{}' sets parameter {}, which is none", experiment.id, parameter));
      need(value, fmt::format("a value that the experiment '{}' sets", experiment.id));
    }
  }

  void look_at(const Measurement& m, std::size_t i) {
    if (m.experiment < 0 || m.experiment >= std::ssize(problem_.experiments))
      return complain(fmt::format("measurement {} belongs to experiment {}, which is none", i, m.experiment));
    if (m.observable < 0 || m.observable >= std::ssize(problem_.observables))
      return complain(fmt::format("measurement {} is of observable {}, which is none", i, m.observable));
    if (!std::isfinite(m.value)) complain(fmt::format("measurement {} has no finite value", i));
    const double start = problem_.experiments[m.experiment].start;
    if (std::isnan(m.time) || m.time < start)
      complain(fmt::format("measurement {} is at t = {}, before its experiment starts", i, m.time));
    else if (is_too_late(m.time))
      complain(fmt::format("measurement {} is at t = {}; times beyond {} need another unit", i, m.time, latest_time));
    else if (m.time > start && m.time - start < shortest_span)
      complain(
          fmt::format("measurement {} is at t = {}, after less than {} of its experiment; such times need another unit",
                      i, m.time, shortest_span));
  }

  const Problem& problem_;
  Issues issues_;
};

}  // namespace

Issues faults(const Problem& problem) { return Inspection(problem).run(); }

}  // namespace salvo::model
