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
    find_those_only_at_rest();
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
    if (only_at_rest_[static_cast<std::size_t>(measurement.experiment)]) return stay(measurement);
    const auto [place, is_new] =
        rest_of_.emplace(measurement.experiment, static_cast<int>(problem_.experiments.size()));
    if (is_new) add_rest_of(measurement.experiment);
    measurement.experiment = place->second;
    measurement.time = problem_.experiments[static_cast<std::size_t>(place->second)].start;
  }

  // An experiment that is measured nowhere else needs no second one.
  void find_those_only_at_rest() {
    only_at_rest_.assign(problem_.experiments.size(), true);
    for (const auto* list : {&problem_.measurements, &problem_.validation})
      for (const Measurement& measurement : *list)
        if (std::isfinite(measurement.time)) only_at_rest_[static_cast<std::size_t>(measurement.experiment)] = false;
  }
  void stay(Measurement& measurement) {
    Experiment& experiment = problem_.experiments[static_cast<std::size_t>(measurement.experiment)];
    if (!experiment.equilibrate || !experiment.equilibrate->is_final) {
      check(experiment, measurement.experiment);
      experiment.equilibrate = model::Equilibration{.is_final = true};
      experiment.predicted_at.clear();
      for (model::Input& input : problem_.inputs) {
        auto& curve = input.of_experiment[static_cast<std::size_t>(measurement.experiment)];
        curve = last_value_of(*curve);
      }
    }
    measurement.time = experiment.start;
  }
  static std::shared_ptr<const model::InputCurve> last_value_of(const model::InputCurve& curve) {
    const std::array<double, 1> time{curve.end()};
    const std::array<double, 1> last{curve.at(curve.end())};
    return std::make_shared<model::InputCurve>(model::Interpolation::constant, time, last);
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
    check_is_fitted(rest, index);
    rest.id = free_id(rest.id + "_at_rest");
    rest.equilibrate = model::Equilibration{.is_final = true};
    rest.initial_of = index;
    rest.predicted_at.clear();
    problem_.experiments.push_back(std::move(rest));
    for (model::Input& input : problem_.inputs)
      input.of_experiment.push_back(last_value_of(*input.of_experiment[static_cast<std::size_t>(index)]));
  }

  // What the steady state is must follow from the experiment's initial values.
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
  }

  // Estimated initial values are those of the experiment; without data of its own to fit it has none.
  void check_is_fitted(const Experiment& experiment, int index) {
    const auto is_estimated = [](const model::Initial& value) {
      return std::holds_alternative<model::Estimated>(value);
    };
    const auto is_own = [&](const Measurement& m) { return m.experiment == index && std::isfinite(m.time); };
    if (std::none_of(experiment.initial.begin(), experiment.initial.end(), is_estimated) ||
        std::any_of(problem_.measurements.begin(), problem_.measurements.end(), is_own))
      return;
    refuse(
        fmt::format("experiment '{}' has estimated initial values and is fitted in the steady state (time inf) alone, "
                    "but validated at other times",
                    experiment.id),
        "state its initial values, or give the validation data an experiment of their own");
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
  std::vector<bool> only_at_rest_;
};

}  // namespace

void part_steady_states(Draft& draft, const Node& root) { SteadyStates(draft, root).part(); }

}  // namespace salvo::formats
