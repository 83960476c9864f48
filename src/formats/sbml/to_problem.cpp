#include "formats/sbml/to_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace salvo::formats::sbml {
namespace {

using expression::no_node;

class ProblemMaker {
 public:
  ProblemMaker(Model& model, const std::vector<Condition>& conditions, model::Problem& problem, Resolver& resolver)
      : model_(model), conditions_(conditions), problem_(problem), resolver_(resolver) {}

  std::string make() {
    const Equations equations = make_equations(model_);
    for (std::size_t i = 0; i < problem_.parameters.size(); ++i) parameters_.emplace(problem_.parameters[i].id, i);
    for (const Condition& condition : conditions_) {
      starts_.push_back(initial_values(model_, equations, condition.set, condition.start));
      if (!starts_.back().trouble.empty()) return starts_.back().trouble;
      add_experiment(condition, starts_.back());
    }
    for (const int index : equations.standing) place_constant(index);
    for (const Formula& formula : equations.formulas) resolver_.define(formula.symbol, formula.node);
    problem_.time = model_.time;
    for (const ModelState& state : equations.states) {
      const NodeId derivative = resolver_.resolve(state.derivative);
      if (derivative == no_node) return cycle();
      problem_.states.push_back({.id = state.id, .symbol = state.symbol, .derivative = derivative});
    }
    for (const Formula& formula : equations.formulas)
      if (resolver_.resolve(formula.symbol) == no_node) return cycle();
    if (problem_.states.empty()) add_a_state();
    return {};
  }

 private:
  std::string cycle() const {
    return fmt::format("the rule of '{}' depends on itself", model_.graph.symbol_name(resolver_.cycle()));
  }

  // Where nothing changes there is still a trajectory to follow: that of something which stands still.
  void add_a_state() {
    const NodeId zero = model_.graph.constant(0);
    problem_.states.push_back({.id = "nothing", .symbol = model_.graph.symbol("nothing"), .derivative = zero});
    for (model::Experiment& experiment : problem_.experiments) experiment.initial.push_back(zero);
  }

  void add_experiment(const Condition& condition, const InitialValues& start) {
    model::Experiment experiment{.id = condition.id, .start = condition.start};
    for (const NodeId value : start.states) experiment.initial.push_back(value);
    problem_.experiments.push_back(std::move(experiment));
  }

  void place_constant(int index) {
    const Quantity& quantity = model_.quantities[index];
    const NodeId first = starts_.front().quantities[index];
    const bool is_same = std::all_of(starts_.begin(), starts_.end(),
                                     [&](const InitialValues& start) { return start.quantities[index] == first; });
    if (is_same && parameters_.contains(quantity.id)) return;
    if (is_same && first != quantity.symbol && !model_.graph.is_constant(first))
      return resolver_.define(quantity.symbol, first);
    const int place = add_parameter(quantity, first);
    if (is_same) return;
    for (std::size_t e = 0; e < starts_.size(); ++e)
      problem_.experiments[e].overrides.push_back({place, starts_[e].quantities[index]});
  }

  // With the value of the first condition, where that is a number.
  int add_parameter(const Quantity& quantity, NodeId value) {
    const auto known = parameters_.find(quantity.id);
    if (known != parameters_.end()) return static_cast<int>(known->second);
    const double number = model_.graph.is_constant(value) ? model_.graph[value].value : std::nan("");
    problem_.parameters.push_back({.id = quantity.id, .symbol = quantity.symbol, .value = number});
    return static_cast<int>(problem_.parameters.size()) - 1;
  }

  Model& model_;
  const std::vector<Condition>& conditions_;
  model::Problem& problem_;
  Resolver& resolver_;
  std::vector<InitialValues> starts_;
  std::unordered_map<std::string, std::size_t> parameters_;
};

}  // namespace

Issues put_into_problem(Model& model, const std::string& file, const std::vector<Condition>& conditions,
                        model::Problem& problem, Resolver& resolver) {
  const std::string trouble = ProblemMaker(model, conditions, problem, resolver).make();
  if (trouble.empty()) return {};
  return {{.file = file, .message = trouble, .hint = "formulas may not go round in a circle"}};
}

}  // namespace salvo::formats::sbml
