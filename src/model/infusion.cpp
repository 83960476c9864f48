#include "model/infusion.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "model/rest.hpp"

namespace salvo::model {
namespace {

using expression::Graph;
using expression::Op;

// rate where begin <= t < end, otherwise nothing.
struct Term {
  NodeId rate = expression::no_node;
  NodeId begin = expression::no_node;
  NodeId end = expression::no_node;
  bool operator==(const Term&) const = default;
};

Term term_of(Graph& graph, const Infusion& infusion) {
  return {.rate = graph.divide(infusion.amount, infusion.duration),
          .begin = infusion.begin,
          .end = graph.add(infusion.begin, infusion.duration)};
}

NodeId flow(Graph& graph, NodeId time, const Term& term) {
  const NodeId has_begun = graph.make(Op::less_equal, term.begin, time);
  const NodeId goes_on = graph.make(Op::less, time, term.end);
  return graph.make(Op::select, graph.make(Op::logical_and, has_begun, goes_on), term.rate, graph.constant(0));
}

// What an experiment sets is a formula of the parameters as they are without it.
NodeId as_set_in(Problem& problem, const Experiment& experiment, NodeId formula) {
  std::vector<NodeId> from;
  std::vector<NodeId> to;
  for (const auto& [parameter, value] : experiment.overrides) {
    from.push_back(problem.parameters[static_cast<std::size_t>(parameter)].symbol);
    to.push_back(value);
  }
  return expression::substitute(problem.graph, {&formula, 1}, from, to)[0];
}

// One term for all experiments, each of which sets rate, begin and end for itself.
Term shared_term(Problem& problem, const std::string& name, const std::vector<Term>& of_experiment) {
  std::array<NodeId, 3> symbols{};
  const std::array<const char*, 3> parts{"rate", "begin", "end"};
  for (int part = 0; part < 3; ++part) {
    const int index = static_cast<int>(problem.parameters.size());
    const std::string id = std::string(parts[part]) + " of " + name;  // no user can write such a name
    symbols[part] = problem.graph.symbol(id);
    problem.parameters.push_back({.id = id, .symbol = symbols[part], .value = 0.0});
    for (std::size_t e = 0; e < of_experiment.size(); ++e) {
      const Term& term = of_experiment[e];
      const NodeId value = part == 0 ? term.rate : part == 1 ? term.begin : term.end;
      const NodeId set = as_set_in(problem, problem.experiments[e], value);
      problem.experiments[e].overrides.push_back({index, set});
      if (part == 0 && problem.experiments[e].equilibrate)
        problem.experiments[e].equilibrate->overrides.push_back({index, problem.graph.constant(0)});
    }
  }
  return {.rate = symbols[0], .begin = symbols[1], .end = symbols[2]};
}

void add_to_state(Problem& problem, int state, const std::vector<Infusion>& infusions) {
  std::vector<std::vector<Term>> of_experiment(problem.experiments.size());
  for (const Infusion& infusion : infusions) {
    if (infusion.state != state) continue;
    const Term term = term_of(problem.graph, infusion);
    for (std::size_t e = 0; e < of_experiment.size(); ++e)
      if (infusion.acts_in(static_cast<int>(e))) of_experiment[e].push_back(term);
  }
  std::size_t most = 0;
  for (const auto& terms : of_experiment) most = std::max(most, terms.size());
  State& its = problem.states[static_cast<std::size_t>(state)];
  for (std::size_t n = 0; n < most; ++n) {
    std::vector<Term> terms;
    for (std::size_t e = 0; e < of_experiment.size(); ++e) {
      const NodeId start = problem.graph.constant(problem.experiments[e].start);
      const Term none{.rate = problem.graph.constant(0), .begin = start, .end = start};
      terms.push_back(n < of_experiment[e].size() ? of_experiment[e][n] : none);
    }
    const bool are_equal = std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return t == terms[0]; }) &&
                           !has_rest(problem);  // nothing flows before the start
    const std::string name = "infusion " + std::to_string(n + 1) + " into " + its.id;
    const Term term = are_equal ? terms[0] : shared_term(problem, name, terms);
    its.derivative = problem.graph.add(its.derivative, flow(problem.graph, problem.time, term));
  }
}

}  // namespace

void add_infusions(Problem& problem, const std::vector<Infusion>& infusions) {
  for (int state = 0; state < static_cast<int>(problem.states.size()); ++state) add_to_state(problem, state, infusions);
}

}  // namespace salvo::model
