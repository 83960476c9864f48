#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/contract.hpp"
#include "expression/parse.hpp"
#include "model/network.hpp"
#include "model/problem.hpp"

// Small problems that several rooms are tested with, built by hand.
namespace salvo::test {

using Equations = std::vector<std::pair<std::string, std::string>>;

// A guess and bounds, on a scale.
inline model::Estimated estimated(double guess, model::Scale scale = model::Scale::lin) {
  model::Estimated out;
  out.guess = guess;
  out.scale = scale;
  return out;
}
inline model::Estimated within(double guess, double lower, double upper, model::Scale scale = model::Scale::lin) {
  model::Estimated out = estimated(guess, scale);
  out.lower = lower;
  out.upper = upper;
  return out;
}

// Writes a problem line by line, formulas as text.
class Builder {
 public:
  explicit Builder(const Equations& equations) {
    problem_.time = problem_.graph.symbol("t");
    for (const auto& [id, formula] : equations)
      problem_.states.push_back({id, problem_.graph.symbol(id), node(formula)});
  }

  Builder& parameter(const std::string& id, std::variant<double, model::Estimated> value) {
    problem_.parameters.push_back({id, problem_.graph.symbol(id), std::move(value)});
    return *this;
  }
  Builder& observable(const std::string& id, std::string_view formula, const std::optional<std::string>& noise,
                      model::Distribution law = model::Distribution::normal) {
    model::Observable out{.id = id, .formula = node(formula), .distribution = law};
    if (noise) out.noise = node(*noise);
    problem_.observables.push_back(out);
    return *this;
  }
  // Initial values: a formula is known, an Estimated is to be found.
  Builder& experiment(const std::string& id, const std::vector<std::variant<std::string, model::Estimated>>& initial,
                      const std::vector<std::pair<int, std::string>>& overrides = {}, double start = 0) {
    model::Experiment out{.id = id, .start = start};
    for (const auto& value : initial) {
      if (const auto* formula = std::get_if<std::string>(&value))
        out.initial.push_back(node(*formula));
      else
        out.initial.push_back(std::get<model::Estimated>(value));
    }
    for (const auto& [parameter, formula] : overrides) out.overrides.push_back({parameter, node(formula)});
    problem_.experiments.push_back(out);
    return *this;
  }
  Builder& measure(int experiment, int observable, double time, double value, std::optional<double> sigma = {}) {
    problem_.measurements.push_back({experiment, observable, time, value, sigma});
    return *this;
  }
  // left <= right or left = right.
  Builder& constraint(const std::string& left, std::string_view relation, const std::string& right) {
    const model::NodeId formula = problem_.graph.subtract(node(left), node(right));
    const bool is_reversed = relation == ">=";
    problem_.constraints.push_back({.formula = is_reversed ? problem_.graph.negate(formula) : formula,
                                    .is_equality = relation == "==",
                                    .text = left + " " + std::string(relation) + " " + right});
    return *this;
  }
  // New values of states, by their numbers.
  using Assignments = std::vector<std::pair<int, std::string>>;
  Builder& event_at(const std::vector<std::string>& times, const Assignments& assignments) {
    model::AtTimes at;
    for (const std::string& time : times) at.times.push_back(node(time));
    return event(at, "at", assignments);
  }
  Builder& event_when(const std::string& condition, const Assignments& assignments) {
    return event(model::When{node(condition)}, "when " + condition, assignments);
  }
  // Of the event that was added last.
  Builder& with_priority(const std::string& formula) {
    problem_.events.back().priority = node(formula);
    return *this;
  }
  Builder& false_before_start() {
    std::get<model::When>(problem_.events.back().trigger).false_before_start = true;
    return *this;
  }
  Builder& not_persistent() {
    std::get<model::When>(problem_.events.back().trigger).is_persistent = false;
    return *this;
  }
  // What a state was before the start.
  Builder& history(int state, std::string_view formula) {
    problem_.states[state].history = node(formula);
    return *this;
  }
  // The same in all experiments.
  Builder& input(const std::string& id, model::Interpolation interpolation, const std::vector<double>& time,
                 const std::vector<double>& value) {
    problem_.inputs.push_back({.id = id,
                               .symbol = problem_.graph.symbol(id),
                               .interpolation = interpolation,
                               .of_experiment = {std::make_shared<model::InputCurve>(interpolation, time, value)}});
    return *this;
  }
  // In constraints and initial values, initial_x1 is the initial value of x1.
  model::Problem build() {
    for (model::Input& input : problem_.inputs)
      input.of_experiment.resize(problem_.experiments.size(), input.of_experiment.front());
    for (model::State& state : problem_.states)
      if (const auto symbol = problem_.graph.find_symbol("initial_" + state.id)) state.initial = *symbol;
    return problem_;
  }

 private:
  model::NodeId node(std::string_view formula) {
    const auto parsed = expression::parse(problem_.graph, formula);
    SALVO_EXPECTS(std::holds_alternative<expression::Formula>(parsed));
    return std::get<expression::Formula>(parsed).node;
  }

  Builder& event(model::Trigger trigger, std::string text, const Assignments& assignments) {
    model::Event out{.trigger = std::move(trigger), .text = std::move(text)};
    for (const auto& [state, formula] : assignments) out.assignments.push_back({state, node(formula)});
    problem_.events.push_back(std::move(out));
    return *this;
  }

  model::Problem problem_;
};

// --- predator and prey ---------------------------------------------------------------------------------------------

inline const Equations predator_prey_equations{{"x1", "-p1*x1 + p2*x1*x2"}, {"x2", "p3*x2 - p4*x1*x2"}};

inline Builder predator_prey_without_data(model::Estimated x1, model::Estimated x2) {
  Builder builder(predator_prey_equations);
  builder.parameter("p1", estimated(0.5)).parameter("p2", estimated(0.5));
  builder.parameter("p3", estimated(0.5)).parameter("p4", estimated(-0.2));
  builder.observable("predator", "x1", "0.05").observable("prey", "x2", "0.05");
  builder.experiment(model::default_experiment, {x1, x2});
  return builder;
}

// Both states at t = 0 ... 10, drawn at p = 1, x(0) = (0.4, 1) with sigma = 0.05. The maximum-likelihood estimate and
// its covariance were computed in two independent ways that agree to 2e-14.
inline Builder predator_prey_with_data() {
  const double data[11][2] = {{0.383652, 0.951284}, {0.592937, 1.753466}, {1.423482, 1.854604}, {1.874999, 0.742269},
                              {1.262742, 0.448658}, {0.694435, 0.401695}, {0.424663, 0.722341}, {0.350871, 1.314388},
                              {0.777295, 1.926215}, {1.810151, 1.385266}, {1.768065, 0.499193}};
  Builder builder = predator_prey_without_data(estimated(0.4), estimated(1));
  for (int j = 0; j <= 10; ++j) builder.measure(0, 0, j, data[j][0]).measure(0, 1, j, data[j][1]);
  return builder;
}
inline model::Problem predator_prey() { return predator_prey_with_data().build(); }
inline const std::vector<double> predator_prey_p{0.980262652153, 0.993615309947, 1.019882623358, 1.035783937385};
inline const std::vector<double> predator_prey_x0{0.396545683682, 0.990898388667};

// The same with the prey seen at t = 0, 5 and 10 only.
inline model::Problem predator_prey_partial() {
  const double predator[11] = {0.307362, 0.562724, 1.448583, 1.959558, 1.246181, 0.696688,
                               0.4876,   0.309773, 0.765244, 1.848355, 1.641274};
  const double prey[3] = {0.944939, 0.435893, 0.620007};
  Builder builder = predator_prey_without_data(estimated(0.4), estimated(1));
  for (int j = 0; j <= 10; ++j) {
    builder.measure(0, 0, j, predator[j]);
    if (j % 5 == 0) builder.measure(0, 1, j, prey[j / 5]);
  }
  return builder.build();
}
inline const std::vector<double> predator_prey_partial_p{1.05557464201, 1.081699522091, 0.951542625834, 0.975008246104};

// --- others --------------------------------------------------------------------------------------------------------

// Bock's notorious example: x1 = sin(p t) solves it at p = pi, but perturbations grow like e^(mu t).
inline Builder notorious(const std::string& mu) {
  Builder builder({{"x1", "x2"}, {"x2", "mu^2*x1 - (mu^2 + p^2)*sin(p*t)"}});
  builder.parameter("p", within(1, 0, 10)).parameter("mu", std::stod(mu));
  builder.observable("x1_obs", "x1", "0.05").observable("x2_obs", "x2", "0.05");
  builder.experiment(model::default_experiment, {estimated(0), estimated(1)});
  return builder;
}

inline Builder fitzhugh_nagumo() {
  Builder builder({{"V", "c*(V - V^3/3 + R)"}, {"R", "-(V - a + b*R)/c"}});
  builder.parameter("a", estimated(0.2)).parameter("b", estimated(0.2)).parameter("c", estimated(3));
  builder.observable("voltage", "V", "0.1").observable("recovery", "R", "0.1");
  builder.experiment(model::default_experiment, {estimated(-1), estimated(1)});
  return builder;
}

// x(t) = x(0) e^(-k t)
inline Builder decay(model::Estimated k, const std::variant<std::string, model::Estimated>& initial) {
  Builder builder(Equations{{"x", "-k*x"}});
  builder.parameter("k", std::move(k));
  builder.observable("amount", "x", "0.1");
  builder.experiment(model::default_experiment, {initial});
  return builder;
}

// A pendulum with friction, pushed by a force that knows the time.
inline Builder driven() {
  Builder builder({{"y", "v"}, {"v", "-k*y - c*v + a*cos(w*t)"}});
  builder.parameter("k", estimated(2)).parameter("c", estimated(0.3)).parameter("a", estimated(1.5));
  builder.parameter("w", estimated(1.7));
  builder.observable("place", "y", "0.1");
  builder.experiment(model::default_experiment, {estimated(0.3), estimated(-0.2)});
  return builder;
}

// Two states driven by a network with two hidden layers, and by a decay that is no part of it.
inline model::Problem neural(int units) {
  Builder builder({{"u", "f1"}, {"v", "f2"}});
  builder.parameter("k", estimated(0.4));
  builder.observable("u_seen", "u", "0.1").observable("v_seen", "v", "0.1");
  builder.experiment(model::default_experiment, {estimated(0.8), estimated(-0.3)});
  model::Problem problem = builder.build();
  model::Network network{.id = "f", .widths = {2, units, units, 2}, .first_parameter = 1};
  const std::vector<model::Parameter> weights = model::network_parameters(problem.graph, network);
  problem.parameters.insert(problem.parameters.end(), weights.begin(), weights.end());
  const std::vector<model::NodeId> inputs{problem.states[0].symbol, problem.states[1].symbol};
  const auto outputs = model::network_outputs(problem.graph, network, inputs, weights);
  const model::NodeId k = problem.parameters[0].symbol;
  for (std::size_t i = 0; i < 2; ++i)
    problem.states[i].derivative = problem.graph.subtract(outputs[i], problem.graph.multiply(k, inputs[i]));
  problem.networks.push_back(network);
  return problem;
}
inline std::vector<double> guesses(const model::Problem& problem) {
  std::vector<double> out;
  for (const model::Parameter& parameter : problem.parameters)
    out.push_back(std::get<model::Estimated>(parameter.value).guess.value_or(1));
  return out;
}

// One of everything that a formula may hold: exp, log, sqrt, powers with constant and variable exponents, branches.
inline Builder many_functions() {
  Builder builder({{"u", "-a*u^1.5/(b + u) + exp(-w)*piecewise(0.2, t < 1, 0.5)"},
                   {"w", "log(1 + u^2) - b*w^a + sqrt(u*w)/(1 + t)"}});
  builder.parameter("a", estimated(1.3)).parameter("b", estimated(0.7));
  builder.observable("both", "u*w + t", "0.1 + 0.05*u^2 + 0.01*b").observable("ratio", "u/w", "0.2");
  builder.experiment(model::default_experiment, {estimated(0.8), estimated(0.6)});
  return builder;
}

}  // namespace salvo::test
