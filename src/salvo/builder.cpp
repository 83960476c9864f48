#include "salvo/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "salvo/assembly.hpp"

namespace salvo {

ProblemBuilder::ProblemBuilder() : graph_(std::make_shared<expression::Graph>()) {
  problem_.time = graph_->symbol("t");
}

void ProblemBuilder::complain(std::string message, std::string hint) {
  issues_.push_back({.message = std::move(message), .hint = std::move(hint)});
}

// --- symbols -------------------------------------------------------------------------------------------------------

Formula ProblemBuilder::symbol(const std::string& id, const char* what) {
  if (!expression::is_name(id))
    complain(fmt::format("'{}' cannot be the name of {}", id.substr(0, 40), what),
             "a name is made of the letters a-z and A-Z, digits and '_', and does not begin with a digit");
  else if (id == "t" || id == "time" || expression::is_reserved(id))
    complain(fmt::format("'{}' has a meaning in formulas and cannot be the name of {}", id, what));
  else if (graph_->find_symbol(id))
    complain(fmt::format("two things are named '{}'", id), "rename one of them");
  return {graph_, graph_->symbol(id)};
}

Formula ProblemBuilder::time() const { return {graph_, problem_.time}; }

Formula ProblemBuilder::state(const std::string& id) {
  const Formula out = symbol(id, "a state");
  problem_.states.push_back({.id = id, .symbol = out.node_});
  return out;
}

Formula ProblemBuilder::variable(const std::string& id, double near) {
  const Formula out = symbol(id, "a variable");
  if (!std::isfinite(near))
    complain(fmt::format("the variable '{}' is looked for near {}, no finite number", id, near));
  variables_.push_back({.id = id, .symbol = out.node_, .near = near});
  return out;
}

Formula ProblemBuilder::parameter(const std::string& id, const Estimated& estimated) {
  const Formula out = symbol(id, "a parameter");
  if (!estimated.guess) complain(fmt::format("the parameter '{}' has no guess", id));
  check(estimated, fmt::format("the parameter '{}'", id));
  problem_.parameters.push_back({.id = id, .symbol = out.node_, .value = estimated});
  return out;
}

Formula ProblemBuilder::parameter(const std::string& id, double constant) {
  const Formula out = symbol(id, "a parameter");
  if (!std::isfinite(constant)) complain(fmt::format("the parameter '{}' is {}, not a finite number", id, constant));
  problem_.parameters.push_back({.id = id, .symbol = out.node_, .value = constant});
  return out;
}

Formula ProblemBuilder::input(const std::string& id, const std::vector<InputRows>& tables,
                              model::Interpolation interpolation) {
  const Formula out = symbol(id, "an input");
  for (const InputRows& rows : tables) check(rows, fmt::format("the input '{}'", id));
  inputs_.push_back({.input = {.id = id, .symbol = out.node_, .interpolation = interpolation}, .tables = tables});
  return out;
}

void ProblemBuilder::check(const InputRows& rows, const std::string& what) {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (rows.time.empty() || rows.time.size() != rows.value.size())
    complain(fmt::format("{} has {} and {}", what, counted(std::ssize(rows.time), "time"),
                         counted(std::ssize(rows.value), "value")),
             "a table has a value at each time, and at least one");
  else if (!std::all_of(rows.time.begin(), rows.time.end(), is_finite) ||
           !std::all_of(rows.value.begin(), rows.value.end(), is_finite))
    complain(fmt::format("{} is not finite everywhere", what), "leave out times without a value");
  else if (std::adjacent_find(rows.time.begin(), rows.time.end(), std::greater_equal<>()) != rows.time.end())
    complain(fmt::format("the times of {} do not increase", what), "sort its rows, and keep one for each time");
}

void ProblemBuilder::check(const Estimated& estimated, const std::string& what) {
  if (!(estimated.lower < estimated.upper))
    complain(
        fmt::format("the bounds of {} leave nothing between them: {} and {}", what, estimated.lower, estimated.upper));
  if (estimated.scale != model::Scale::lin && estimated.guess && !(*estimated.guess > 0))
    complain(fmt::format("the guess of {} is {}, but its scale is {}, which needs positive values", what,
                         *estimated.guess, model::to_string(estimated.scale)));
  if (estimated.guess && !(*estimated.guess >= estimated.lower && *estimated.guess <= estimated.upper))
    complain(fmt::format("the guess of {} is {}, outside its bounds {} and {}", what, *estimated.guess, estimated.lower,
                         estimated.upper));
  if (estimated.prior && !(estimated.prior->spread > 0))
    complain(fmt::format("the spread of the prior of {} must be positive", what));
}

// --- formulas ------------------------------------------------------------------------------------------------------

ProblemBuilder::NodeId ProblemBuilder::node(const Formula& formula, const std::string& what) {
  if (formula.belongs_to(*graph_)) return formula.in(*graph_);
  complain(fmt::format("{} is made of symbols of another ProblemBuilder", what));
  return graph_->constant(0);
}

model::Initial ProblemBuilder::initial_node(const InitialValue& value, const std::string& what) {
  if (const auto* formula = std::get_if<Formula>(&value)) return node(*formula, what);
  check(std::get<Estimated>(value), what);
  return std::get<Estimated>(value);
}

ProblemBuilder& ProblemBuilder::title(std::string text) {
  problem_.title = std::move(text);
  return *this;
}

ProblemBuilder& ProblemBuilder::equation(const Formula& state, const Formula& derivative) {
  equations_.push_back({node(state, "the left side of an equation"), node(derivative, "an equation")});
  return *this;
}

ProblemBuilder& ProblemBuilder::algebraic(const Formula& variable, const Formula& zero) {
  algebraic_.push_back({node(variable, "what an algebraic equation determines"), node(zero, "an algebraic equation")});
  return *this;
}

ProblemBuilder& ProblemBuilder::mass(const Formula& state, const std::vector<std::pair<Formula, Formula>>& row) {
  MassRow out{.state = node(state, "what has a row of mass")};
  for (const auto& [of, value] : row)
    out.entries.push_back({node(of, "a state in a row of mass"), node(value, "a number in a row of mass")});
  masses_.push_back(std::move(out));
  return *this;
}

ProblemBuilder& ProblemBuilder::initial(const Formula& state, const InitialValue& value) {
  initial_.push_back({node(state, "what begins with an initial value"), initial_node(value, "an initial value")});
  return *this;
}

ProblemBuilder& ProblemBuilder::history(const Formula& state, const Formula& before) {
  histories_.push_back({node(state, "what has a history"), node(before, "a history")});
  return *this;
}

ProblemBuilder& ProblemBuilder::observable(const std::string& id, const Formula& formula,
                                           const ObservableOptions& options) {
  if (!expression::is_name(id)) complain(fmt::format("'{}' cannot be the name of an observable", id.substr(0, 40)));
  model::Observable out{.id = id, .formula = node(formula, fmt::format("the observable '{}'", id))};
  out.distribution = options.distribution;
  if (options.noise) out.noise = node(*options.noise, fmt::format("the noise of '{}'", id));
  problem_.observables.push_back(std::move(out));
  return *this;
}

ProblemBuilder& ProblemBuilder::at_most(const Formula& a, const Formula& b) {
  add_constraint(a, b, false);
  return *this;
}

ProblemBuilder& ProblemBuilder::equal(const Formula& a, const Formula& b) {
  add_constraint(a, b, true);
  return *this;
}

void ProblemBuilder::add_constraint(const Formula& a, const Formula& b, bool is_equality) {
  const NodeId left = node(a, "a constraint");
  const NodeId right = node(b, "a constraint");
  problem_.constraints.push_back({.formula = graph_->subtract(left, right),
                                  .is_equality = is_equality,
                                  .text = fmt::format("{} {} {}", expression::print(*graph_, left),
                                                      is_equality ? "=" : "<=", expression::print(*graph_, right))});
}

// --- what happens and what was seen --------------------------------------------------------------------------------

ProblemBuilder& ProblemBuilder::event_at(const std::vector<Formula>& times, const std::vector<Setting>& changes) {
  model::AtTimes at;
  for (const Formula& time : times) at.times.push_back(node(time, "the time of an event"));
  if (times.empty()) return complain("an event has no time"), *this;
  add_event(at, changes, "at " + expression::print(*graph_, at.times.front()));
  return *this;
}

ProblemBuilder& ProblemBuilder::event_when(const Formula& condition, const std::vector<Setting>& changes) {
  const NodeId truth = node(condition, "the condition of an event");
  add_event(model::When{truth}, changes, "when " + expression::print(*graph_, truth));
  return *this;
}

void ProblemBuilder::add_event(model::Trigger trigger, const std::vector<Setting>& changes, std::string text) {
  model::Event event{.trigger = std::move(trigger), .text = std::move(text)};
  for (const auto& [state, value] : changes) {
    const NodeId symbol = node(state, "what an event changes");
    const auto changed = std::find_if(problem_.states.begin(), problem_.states.end(),
                                      [&](const model::State& s) { return s.symbol == symbol; });
    if (changed == problem_.states.end())
      complain(
          fmt::format("the event {} changes '{}', which is no state", event.text, expression::print(*graph_, symbol)));
    else
      event.assignments.push_back({.state = static_cast<int>(changed - problem_.states.begin()),
                                   .value = node(value, "a value that an event sets")});
  }
  if (changes.empty()) complain(fmt::format("the event {} changes nothing", event.text));
  problem_.events.push_back(std::move(event));
}

ProblemBuilder& ProblemBuilder::experiment(const std::string& id, const ExperimentOptions& options) {
  DraftExperiment out{.experiment = {.id = id, .start = options.start}};
  if (id.empty()) complain("an experiment has no name");
  if (!std::isfinite(options.start))
    complain(fmt::format("the start of the experiment '{}' is not a finite number", id));
  for (const auto& [parameter, value] : options.set) {
    const NodeId symbol = node(parameter, "what an experiment sets");
    const auto set = std::find_if(problem_.parameters.begin(), problem_.parameters.end(),
                                  [&](const model::Parameter& p) { return p.symbol == symbol; });
    if (set == problem_.parameters.end())
      complain(
          fmt::format("the experiment '{}' sets '{}', which is no parameter", id, expression::print(*graph_, symbol)));
    else
      out.experiment.overrides.push_back(
          {static_cast<int>(set - problem_.parameters.begin()), node(value, "a value that an experiment sets")});
  }
  for (const auto& [state, value] : options.initial)
    out.initial.push_back({node(state, "what begins with an initial value"), initial_node(value, "an initial value")});
  experiments_.push_back(std::move(out));
  return *this;
}

ProblemBuilder& ProblemBuilder::measure(const std::string& observable, double time, double value,
                                        const MeasurementOptions& options) {
  measured_.push_back({.observable = observable,
                       .experiment = options.experiment,
                       .measurement = {.time = time, .value = value, .sigma = options.sigma},
                       .validation = options.validation});
  return *this;
}

Result<model::Problem> ProblemBuilder::build() const { return Assembly(*this).build(); }

}  // namespace salvo
