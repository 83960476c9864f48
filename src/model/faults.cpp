#include "model/faults.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/words.hpp"
#include "model/delays.hpp"

namespace salvo::model {
namespace {

class Inspection {
 public:
  explicit Inspection(const Problem& problem) : problem_(problem) {}

  Issues run() {
    if (problem_.states.empty() && problem_.fields.empty()) complain("it has no states");
    if (problem_.experiments.empty()) complain("it has no experiment");
    for (const State& state : problem_.states) {
      need(state.symbol, fmt::format("the symbol of {}", state.id));
      if (state.history != expression::no_node) need(state.history, fmt::format("the history of {}", state.id));
    }
    for (std::size_t i = 0; i < ordinary_states(problem_); ++i)
      need(problem_.states[i].derivative, fmt::format("the equation of {}", problem_.states[i].id));
    look_at_fields();
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
    if (issues_.empty())
      for (const DelayFault& fault : delay_faults(problem_))
        issues_.push_back({.file = problem_.file, .message = fault.message, .hint = fault.hint});
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

  void look_at_fields() {
    if (problem_.fields.empty()) return;
    if (problem_.space.empty() || problem_.space.size() > 2) complain("its fields live in one or two coordinates");
    for (const Space& space : problem_.space) {
      need(space.symbol, fmt::format("the symbol of {}", space.id));
      if (!std::isfinite(space.from) || !std::isfinite(space.to) || !(space.from < space.to))
        complain(fmt::format("{} reaches from {} to {}", space.id, space.from, space.to));
      if (space.cells < fewest_cells || space.cells > most_cells)
        complain(fmt::format("{} has {}; it needs {} to {}", space.id, counted(space.cells, "cell"), fewest_cells,
                             most_cells));
    }
    for (const Field& field : problem_.fields) {
      need(field.symbol, fmt::format("the symbol of {}", field.id));
      need(field.derivative, fmt::format("the equation of {}", field.id));
      for (std::size_t side = 0; side < 2 * problem_.space.size() && side < field.boundary.size(); ++side)
        look_at(field, field.boundary[side]);
    }
  }

  void look_at(const Field& field, const Boundary& boundary) {
    for (int i = 0; i < terms_of(boundary.kind); ++i)
      need(boundary.terms[static_cast<std::size_t>(i)], fmt::format("a boundary condition of {}", field.id));
  }

  void look_at(const Experiment& experiment) {
    if (experiment.initial_fields.size() != problem_.fields.size())
      complain(fmt::format("the experiment '{}' has {} for {}", experiment.id,
                           counted(std::ssize(experiment.initial_fields), "initial field"),
                           counted(std::ssize(problem_.fields), "field")));
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
    look_at_place(m, i);
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

  void look_at_place(const Measurement& m, std::size_t i) {
    if (problem_.space.empty()) return;
    const NodeId formula = problem_.observables[m.observable].formula;
    const unsigned open = is_node(formula) ? open_coordinates(problem_, formula) : 0;
    for (std::size_t k = 0; k < problem_.space.size() && k < m.place.size(); ++k) {
      const Space& space = problem_.space[k];
      if ((open >> k & 1U) == 0) continue;
      if (!m.place[k])
        complain(fmt::format("measurement {} has no {}", i, space.id));
      else if (!(*m.place[k] >= space.from && *m.place[k] <= space.to))
        complain(fmt::format("measurement {} is at {} = {}, outside {} to {}", i, space.id, *m.place[k], space.from,
                             space.to));
    }
  }

  const Problem& problem_;
  Issues issues_;
};

}  // namespace

Issues faults(const Problem& problem) { return Inspection(problem).run(); }

}  // namespace salvo::model
