#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "formats/problem/sections.hpp"

namespace salvo::formats {
namespace {

using model::Experiment;
using model::Measurement;
using yaml::Node;

// Makes of each experiment that is measured at time inf a second one, which has come to rest: it is measured at its
// start.
class SteadyStates {
 public:
  SteadyStates(Draft& draft, const Node& root) : draft_(draft), problem_(draft.problem), root_(root) {}

  void part() {
    for (auto* list : {&problem_.measurements, &problem_.validation})
      for (Measurement& measurement : *list)
        if (std::isinf(measurement.time)) move(measurement);
  }

 private:
  void move(Measurement& measurement) {
    if (depends_on_time(problem_.observables[static_cast<std::size_t>(measurement.observable)]))
      refuse(fmt::format("the observable '{}' depends on time and is measured in the steady state (time inf)",
                         problem_.observables[static_cast<std::size_t>(measurement.observable)].id),
             "measure an observable of states alone");
    const auto [place, is_new] =
        rest_of_.emplace(measurement.experiment, static_cast<int>(problem_.experiments.size()));
    if (is_new) add_rest_of(measurement.experiment);
    measurement.experiment = place->second;
    measurement.time = problem_.experiments[static_cast<std::size_t>(place->second)].start;
  }

  bool depends_on_time(const model::Observable& observable) const {
    std::vector<NodeId> formulas{observable.formula};
    if (observable.noise) formulas.push_back(*observable.noise);
    const std::vector<NodeId> symbols = expression::symbols_of(problem_.graph, formulas);
    return std::find(symbols.begin(), symbols.end(), problem_.time) != symbols.end();
  }

  void add_rest_of(int index) {
    Experiment rest = problem_.experiments[static_cast<std::size_t>(index)];
    check(rest, index);
    rest.id = free_id(rest.id + "_at_rest");
    rest.equilibrate = model::Equilibration{.is_final = true};
    problem_.experiments.push_back(std::move(rest));
    for (model::Input& input : problem_.inputs) {
      const model::InputCurve& curve = *input.of_experiment[static_cast<std::size_t>(index)];
      const std::array<double, 1> time{curve.end()};
      const std::array<double, 1> last{curve.at(curve.end())};
      input.of_experiment.push_back(std::make_shared<model::InputCurve>(model::Interpolation::constant, time, last));
    }
  }

  // What the steady state is must follow from the experiment's known initial values.
  void check(const Experiment& experiment, int index) {
    const auto is_acting = [&](const model::Event& event) { return event.acts_in(index); };
    if (draft_.is_infused[static_cast<std::size_t>(index)] ||
        std::any_of(problem_.events.begin(), problem_.events.end(), is_acting))
      refuse(fmt::format("experiment '{}' is measured in the steady state (time inf) after events or doses",
                         experiment.id),
             "give these data an experiment of their own, without them");
    if (experiment.equilibrate && !experiment.equilibrate->initial.empty())
      refuse(fmt::format("experiment '{}' sets states after it has come to rest, and is measured in the steady state "
                         "after that (time inf)",
                         experiment.id),
             "give these data an experiment of their own, with known initial values");
    for (std::size_t i = 0; i < experiment.initial.size(); ++i)
      if (std::holds_alternative<model::Estimated>(experiment.initial[i]))
        refuse(fmt::format("experiment '{}' is measured in the steady state (time inf), but the initial value of {} is "
                           "estimated",
                           experiment.id, problem_.states[i].id),
               fmt::format("make it a parameter: {0}0: {{guess: 1}} under 'parameters', {0}: {0}0 under 'initial'",
                           problem_.states[i].id));
  }

  std::string free_id(std::string id) const {
    const auto is_taken = [&](const Experiment& other) { return other.id == id; };
    while (std::any_of(problem_.experiments.begin(), problem_.experiments.end(), is_taken)) id += "_";
    return id;
  }

  void refuse(std::string message, std::string hint) {
    const Place place = root_.find("data")->place;
    draft_.log.add({.kind = Issue::Kind::unsupported,
                    .file = draft_.file.name,
                    .line = place.line,
                    .column = place.column,
                    .message = std::move(message),
                    .hint = std::move(hint)});
  }

  Draft& draft_;
  model::Problem& problem_;
  const Node& root_;
  std::map<int, int> rest_of_;  // experiment, its steady state
};

}  // namespace

void part_steady_states(Draft& draft, const Node& root) { SteadyStates(draft, root).part(); }

}  // namespace salvo::formats
