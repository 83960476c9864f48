#include "expression/eliminate.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "expression/affine.hpp"
#include "expression/differentiate.hpp"

namespace salvo::expression {
namespace {

class Eliminator {
 public:
  Eliminator(Graph& graph, std::span<const NodeId> equations, std::span<const NodeId> unknowns,
             std::span<const int> own)
      : graph_(graph), equations_(equations.begin(), equations.end()), unknowns_(unknowns), own_(own) {
    for (std::size_t u = 0; u < unknowns.size(); ++u) place_.emplace(unknowns[u], static_cast<int>(u));
    is_open_.assign(equations_.size(), true);
  }

  Elimination run() {
    while (solve_one()) {
    }
    for (std::size_t e = 0; e < equations_.size(); ++e)
      if (is_open_[e]) {
        out_.equations.push_back(static_cast<int>(e));
        out_.left.push_back(equations_[e]);
      }
    for (std::size_t u = 0; u < unknowns_.size(); ++u)
      if (place_.contains(unknowns_[u])) out_.unknowns.push_back(static_cast<int>(u));
    return std::move(out_);
  }

 private:
  std::vector<int> unknowns_in(NodeId node) const {
    std::vector<int> found;
    for (const NodeId symbol : symbols_of(graph_, {&node, 1}))
      if (const auto place = place_.find(symbol); place != place_.end()) found.push_back(place->second);
    std::sort(found.begin(), found.end());
    return found;
  }

  bool solve_one() {
    std::vector<std::pair<std::size_t, int>> order;  // how many unknowns, equation
    for (std::size_t e = 0; e < equations_.size(); ++e)
      if (is_open_[e]) order.push_back({unknowns_in(equations_[e]).size(), static_cast<int>(e)});
    std::sort(order.begin(), order.end());
    for (const auto& [count, equation] : order)
      if (const auto solved = solved_for_one(equation)) {
        put_in(*solved);
        return true;
      }
    return false;
  }

  // The best unknown of an equation.
  std::optional<SolvedUnknown> solved_for_one(int equation) {
    std::optional<SolvedUnknown> best;
    int best_rank = 0;
    for (const int unknown : unknowns_in(equations_[equation])) {
      const std::optional<Affine> parts = affine_in(graph_, equations_[equation], unknowns_[unknown]);
      if (!parts || !unknowns_in(parts->coefficient).empty() || is_zero_everywhere(graph_, parts->coefficient))
        continue;
      const int rank = own_[equation] == unknown ? 3 : graph_.is_constant(parts->coefficient) ? 2 : 1;
      if (rank <= best_rank) continue;
      best_rank = rank;
      best = {.equation = equation, .unknown = unknown, .value = solution(*parts), .coefficient = parts->coefficient};
    }
    return best;
  }

  // -rest / coefficient, as one would write it.
  NodeId solution(const Affine& parts) {
    if (graph_.is_constant(parts.coefficient) && graph_[parts.coefficient].value < 0)
      return graph_.divide(parts.rest, graph_.negate(parts.coefficient));
    const Node rest = graph_[parts.rest];
    const NodeId negative =
        rest.op == Op::subtract ? graph_.subtract(rest.arguments[1], rest.arguments[0]) : graph_.negate(parts.rest);
    return graph_.divide(negative, parts.coefficient);
  }

  void put_in(const SolvedUnknown& solved) {
    is_open_[solved.equation] = false;
    place_.erase(unknowns_[solved.unknown]);
    Substitution put(graph_, std::vector{unknowns_[solved.unknown]}, std::vector{solved.value});
    for (std::size_t e = 0; e < equations_.size(); ++e)
      if (is_open_[e]) equations_[e] = put({&equations_[e], 1}).front();
    for (SolvedUnknown& before : out_.solved) {
      before.value = put({&before.value, 1}).front();
      before.coefficient = put({&before.coefficient, 1}).front();
    }
    out_.solved.push_back(solved);
  }

  Graph& graph_;
  std::vector<NodeId> equations_;
  std::span<const NodeId> unknowns_;
  std::span<const int> own_;
  std::unordered_map<NodeId, int> place_;  // of unknowns that are still to be found
  std::vector<bool> is_open_;
  Elimination out_;
};

}  // namespace

Elimination eliminate(Graph& graph, std::span<const NodeId> equations, std::span<const NodeId> unknowns,
                      std::span<const int> own) {
  return Eliminator(graph, equations, unknowns, own).run();
}

// Augmenting paths, one for each equation.
std::vector<int> match_unknowns(Graph& graph, std::span<const NodeId> equations, std::span<const NodeId> unknowns) {
  std::vector<std::vector<int>> contains(equations.size());
  for (const JacobianEntry& entry : jacobian(graph, equations, unknowns))
    if (!is_zero_everywhere(graph, entry.node)) contains[entry.row].push_back(entry.column);
  std::vector<int> equation_of(unknowns.size(), -1);
  std::vector<bool> seen;
  const std::function<bool(int)> place = [&](int equation) {
    for (const int unknown : contains[equation]) {
      if (seen[unknown]) continue;
      seen[unknown] = true;
      if (equation_of[unknown] >= 0 && !place(equation_of[unknown])) continue;
      equation_of[unknown] = equation;
      return true;
    }
    return false;
  };
  for (std::size_t e = 0; e < equations.size(); ++e) {
    seen.assign(unknowns.size(), false);
    place(static_cast<int>(e));
  }
  std::vector<int> out(equations.size(), -1);
  for (std::size_t u = 0; u < unknowns.size(); ++u)
    if (equation_of[u] >= 0) out[equation_of[u]] = static_cast<int>(u);
  return out;
}

}  // namespace salvo::expression
