#include <fmt/format.h>

#include <algorithm>

#include "expression/print.hpp"
#include "model/mass.hpp"
#include "salvo/assembly.hpp"

// M x' = f of a builder: what M joins becomes one state, what it leaves open becomes algebraic equations.
namespace salvo {

std::optional<model::MassRows> Assembly::read_mass() {
  model::MassRows rows;
  for (std::size_t i = 0; i < problem_.states.size(); ++i)
    rows.push_back({{static_cast<int>(i), problem_.graph.constant(1)}});
  for (const ProblemBuilder::MassRow& row : from_.masses_) {
    const std::string name = expression::print(problem_.graph, row.state);
    const int state = state_of(row.state);
    if (state < 0) {
      complain(fmt::format("'{}' has a row of mass, but is no state", name));
      continue;
    }
    rows[static_cast<std::size_t>(state)].clear();
    for (const auto& [symbol, value] : row.entries) {
      if (state_of(symbol) < 0)
        complain(fmt::format("the row of {} in the mass names '{}', which is no state", name,
                             expression::print(problem_.graph, symbol)));
      need_parameters_only(value, fmt::format("the row of {} in the mass", name));
      rows[static_cast<std::size_t>(state)].push_back({state_of(symbol), value});
    }
  }
  return issues_.empty() ? std::optional(std::move(rows)) : std::nullopt;
}

void Assembly::put_mass() {
  const std::optional<model::MassRows> rows = read_mass();
  if (!rows) return;
  std::vector<NodeId> f;
  for (const model::State& state : problem_.states) f.push_back(state.derivative);
  const model::ReducedMass reduced = model::reduce_mass(problem_.graph, *rows, f);
  for (std::size_t n = 0; n < reduced.zeros.size(); ++n) {
    const model::State& open = problem_.states[static_cast<std::size_t>(reduced.algebraic[n])];
    const std::string& row = problem_.states[static_cast<std::size_t>(reduced.zeros[n].row)].id;
    zero_rows_.push_back({.g = reduced.zeros[n].g,
                          .text = fmt::format("the row of {} without its derivatives", row),
                          .own = static_cast<int>(variables_.size()),
                          .row = row});
    variables_.push_back({open.id, open.symbol, near_of(open.symbol)});
  }
  for (const auto& each : reduced.combinations)
    problem_.states[static_cast<std::size_t>(each.state)].derivative = each.derivative;
  for (const auto& each : reduced.combinations)
    if (!each.others.empty()) combine(each);
  refuse_events_that_set_joined_states(reduced);
  leave_out(reduced.algebraic);
}

// A number that is given for a state that has become algebraic says where its root is looked for.
double Assembly::near_of(NodeId symbol) const {
  for (const ProblemBuilder::Begins& begins : from_.initial_)
    if (const auto* node = std::get_if<NodeId>(&begins.value);
        begins.state == symbol && node != nullptr && problem_.graph.is_constant(*node))
      return problem_.graph[*node].value;
  return 1;
}

// w = x_i + sum_k R_ik x_k takes the place of the state, which becomes a formula of w and the others.
void Assembly::combine(const model::ReducedMass::Combination& each) {
  model::State& state = problem_.states[static_cast<std::size_t>(each.state)];
  const model::State before = state;
  std::string id = "mass_" + before.id;
  while (problem_.graph.find_symbol(id)) id += '_';
  state.id = id;
  state.symbol = problem_.graph.symbol(id);
  Joined joined{.symbol = state.symbol, .parts = {{before.symbol, problem_.graph.constant(1)}}};
  NodeId value = state.symbol;
  NodeId combination = before.symbol;
  for (const auto& [k, factor] : each.others) {
    const NodeId other = problem_.states[static_cast<std::size_t>(k)].symbol;
    value = problem_.graph.subtract(value, problem_.graph.multiply(factor, other));
    combination = problem_.graph.add(combination, problem_.graph.multiply(factor, other));
    joined.parts.push_back({other, factor});
  }
  unwritten_.insert(unwritten_.end(), {value, state.symbol});
  written_.insert(written_.end(), {before.symbol, combination});
  problem_.definitions.push_back({.id = before.id, .formula = value});
  in_place_.first.push_back(before.symbol);
  in_place_.second.push_back(value);
  put_in({before.symbol}, {value});
  expression::Substitution put(problem_.graph, std::vector{before.symbol}, std::vector{value});
  for (auto& zero : zero_rows_) zero.g = put({&zero.g, 1}).front();
  joined_.push_back(std::move(joined));
}

void Assembly::refuse_events_that_set_joined_states(const model::ReducedMass& reduced) {
  const auto is_changed = [&](int state) {
    return std::find(reduced.algebraic.begin(), reduced.algebraic.end(), state) != reduced.algebraic.end() ||
           std::any_of(reduced.combinations.begin(), reduced.combinations.end(),
                       [&](const auto& each) { return each.state == state && !each.others.empty(); });
  };
  for (const model::Event& event : problem_.events)
    for (const model::Assignment& assignment : event.assignments)
      if (is_changed(assignment.state))
        complain(fmt::format("the event '{}' sets a state that the mass joins with others", event.text),
                 "set what only its own row of the mass contains");
}

// States that have become algebraic variables; put_algebraic adds those again that no formula solves for.
void Assembly::leave_out(const std::vector<int>& states) {
  std::vector<int> now(problem_.states.size());
  std::vector<model::State> left;
  for (std::size_t i = 0; i < problem_.states.size(); ++i) {
    now[i] = static_cast<int>(left.size());
    if (std::find(states.begin(), states.end(), static_cast<int>(i)) == states.end())
      left.push_back(problem_.states[i]);
  }
  for (model::Event& event : problem_.events)
    for (model::Assignment& assignment : event.assignments)
      assignment.state = now[static_cast<std::size_t>(assignment.state)];
  problem_.states = std::move(left);
  states_.clear();
  for (std::size_t i = 0; i < problem_.states.size(); ++i) states_[problem_.states[i].symbol] = static_cast<int>(i);
}

// Where a joined state begins: as the initial values of its parts say.
void Assembly::join_initial(const std::map<NodeId, const model::Initial*>& given,
                            std::vector<const model::Initial*>& of_state) {
  for (const Joined& each : joined_) {
    NodeId sum = expression::no_node;
    bool is_known = true;
    for (const auto& [part, factor] : each.parts) {
      const auto its = given.find(part);
      const auto* node = its == given.end() ? nullptr : std::get_if<NodeId>(its->second);
      is_known = is_known && node != nullptr;
      if (!is_known) continue;
      const NodeId term = problem_.graph.multiply(factor, *node);
      sum = sum == expression::no_node ? term : problem_.graph.add(sum, term);
    }
    if (!is_known) {
      complain(fmt::format("'{}', which the mass makes of states, has no known initial value",
                           problem_.graph.symbol_name(each.symbol)),
               "give a number or a formula of parameters as the initial value of each of them");
      continue;
    }
    joined_initial_.push_back(std::make_unique<model::Initial>(sum));
    of_state[static_cast<std::size_t>(state_of(each.symbol))] = joined_initial_.back().get();
  }
}

}  // namespace salvo
