#include "estimate/ways/known_past.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "estimate/quantities.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"
#include "model/delays.hpp"
#include "start/start_nodes.hpp"

namespace salvo::estimate {
namespace {

using model::InputCurve;
using Curves = std::vector<std::shared_ptr<const InputCurve>>;

// A history that needs nothing estimated has its values; otherwise the curve goes on from the start as it begins.
class KnownHistory {
 public:
  KnownHistory(const model::Problem& problem, int experiment) : problem_(problem), graph_(problem.graph) {
    for (const model::Parameter& parameter : problem.parameters)
      if (const auto* number = std::get_if<double>(&parameter.value)) put(parameter.symbol, graph_.constant(*number));
    const std::vector<NodeId> shared = to_;
    for (const auto& [parameter, value] : problem.experiments[experiment].overrides) {
      const NodeId own = expression::substitute(graph_, {&value, 1}, from_, shared)[0];
      const auto known = std::find(from_.begin(), from_.end(), problem.parameters[parameter].symbol);
      if (known == from_.end())
        put(problem.parameters[parameter].symbol, own);
      else
        to_[known - from_.begin()] = own;
    }
  }

  std::optional<double> at(int state, double t) {
    const NodeId history = problem_.states[state].history;
    if (history == expression::no_node) return std::nullopt;
    std::vector<NodeId> from = from_, to = to_;
    from.push_back(problem_.time);
    to.push_back(graph_.constant(t));
    const NodeId value = expression::substitute(graph_, {&history, 1}, from, to)[0];
    return graph_.is_constant(value) ? std::optional(graph_[value].value) : std::nullopt;
  }

 private:
  using NodeId = expression::NodeId;
  void put(NodeId from, NodeId to) {
    from_.push_back(from);
    to_.push_back(to);
  }

  const model::Problem& problem_;
  expression::Graph graph_;
  std::vector<NodeId> from_{}, to_{};
};

constexpr int samples_of_history = 16;

// The smoothed curve at the data; before the start what is known of the history, over a length of time that is as long
// as the data. A jump at the start becomes a line of no length that matters.
std::shared_ptr<const InputCurve> curve_of(const start::ObservedState& observed, int state, double begin,
                                           KnownHistory& history) {
  std::vector<double> times, values;
  const std::vector<double>& knots = observed.curve->time;
  const double span = std::max(knots.back() - begin, knots.back() - knots.front());
  if (history.at(state, begin)) {
    constexpr double sliver = 1e-9;
    for (int k = samples_of_history; k > 0; --k) times.push_back(begin - span * k / samples_of_history);
    times.push_back(begin - sliver * span);
    for (const double t : times) values.push_back(*history.at(state, t));
  }
  const auto add = [&](double t) {
    times.push_back(t);
    values.push_back(observed.at(t));
  };
  add(begin);
  for (const double t : knots)
    if (t > begin) add(t);
  // A cubic would overshoot at the jump, and lines need more points to be as near to the curve.
  if (!history.at(state, begin)) return std::make_shared<InputCurve>(model::Interpolation::cubic, times, values);
  std::vector<double> finer_times, finer_values;
  constexpr int parts = 4;
  for (std::size_t i = 0; i < times.size(); ++i) {
    finer_times.push_back(times[i]);
    finer_values.push_back(values[i]);
    for (int part = 1; part < parts && i + 1 < times.size() && times[i] >= begin; ++part) {
      finer_times.push_back(times[i] + (times[i + 1] - times[i]) * part / parts);
      finer_values.push_back(observed.at(finer_times.back()));
    }
  }
  return std::make_shared<InputCurve>(model::Interpolation::linear, finer_times, finer_values);
}

// A history that is one estimated parameter is what the curve begins with.
void guess_histories(const model::Problem& problem, const std::vector<compile::KnownPast>& past,
                     std::map<std::string, double>& values) {
  for (const compile::KnownPast& known : past)
    for (const model::Parameter& parameter : problem.parameters) {
      if (!parameter.is_estimated() || problem.states[known.state].history != parameter.symbol) continue;
      const auto& estimated = std::get<model::Estimated>(parameter.value);
      const InputCurve& curve = *known.of_experiment.front();
      const double value = std::clamp(curve.at(curve.begin()), estimated.lower, estimated.upper);
      if (estimated.scale == model::Scale::lin || value > 0) values[parameter.id] = to_scale(estimated.scale, value);
    }
}

std::vector<Found> begin_with_a_known_past(const WayTask& task) {
  Setup setup = make_setup(task.workspace, task.planned.discretisation);
  if (auto past = past_from_data(task.workspace)) {
    const std::unique_ptr<Workspace> of_inputs = task.workspace.with_known_past(*past);
    const PlannedWay planned{.way = &nodes, .discretisation = discretisation_for(nodes, *of_inputs)};
    const std::vector<Found> first = nodes.run({.workspace = *of_inputs,
                                                .planned = planned,
                                                .random = task.random,
                                                .context = task.context,
                                                .look = task.look});
    std::map<std::string, double> values;
    const std::vector<Quantity> before = quantities(*first.front().shooting);
    const std::vector<double>& estimates = first.front().answer.estimates;
    for (std::size_t i = 0; i < estimates.size(); ++i) values[before[i].id] = estimates[i];
    guess_histories(task.workspace.problem(), *past, values);
    for (const Quantity& quantity : quantities(*setup.shooting))
      if (const auto value = values.find(quantity.id); value != values.end())
        setup.start[quantity.unknown] = value->second;
    setup.remarks.push_back("first with earlier values from smoothed data");
    setup.beginning.q = setup.start;
  }
  solve::SolveResult run = descend_precisely(setup, setup.start, task.context);
  std::vector<Found> out;
  out.push_back(found(task, std::move(setup), std::move(run)));
  return out;
}

}  // namespace

std::optional<std::vector<compile::KnownPast>> past_from_data(const Workspace& workspace) {
  const model::Problem& problem = workspace.problem();
  const auto shooting = workspace.unbroken();
  const std::vector<start::ObservedStates> observed = start::observed_at_guess(*shooting, workspace.rules().start);
  std::vector<compile::KnownPast> past;
  for (const int state : model::delayed_states(problem)) {
    Curves curves(problem.experiments.size());
    for (const start::ObservedStates& each : observed) {
      if (!each.states[state].curve) return std::nullopt;
      KnownHistory history(problem, each.experiment);
      curves[each.experiment] =
          curve_of(each.states[state], state, problem.experiments[each.experiment].start, history);
    }
    for (auto& curve : curves)  // of experiments that are not measured, and take no part
      if (!curve) curve = curves[observed.front().experiment];
    past.push_back({.state = state, .interpolation = model::Interpolation::cubic, .of_experiment = std::move(curves)});
  }
  return past;
}

const Way known_past{.name = "known past",
                     .says = "earlier values from smoothed data, then single shooting",
                     .is_unbroken = true,
                     .run = begin_with_a_known_past};

}  // namespace salvo::estimate
