#include "compile/elimination_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace salvo::compile {

using expression::Graph;
using expression::NodeId;

namespace {

// The rows and columns of what is left while states are eliminated one by one, the diagonal always among them. Of those
// that cost the same, algebraic variables that stand in their own equations come first: what is left then is the matrix
// of the differential equations alone, in which little grows.
class Remainder {
 public:
  Remainder(const Pattern& jacobian, int states, const std::vector<int>& algebraic)
      : row_(states), column_(states), left_(states, true), rank_(states, 1) {
    for (int i = 0; i < states; ++i) add(i, i);
    for (int k = 0; k < jacobian.size(); ++k) add(jacobian.row[k], jacobian.column[k]);
    for (const int i : algebraic)
      for (int k = 0; k < jacobian.size(); ++k)
        if (jacobian.row[k] == i && jacobian.column[k] == i) rank_[i] = 0;
    for (int i = 0; i < states; ++i) queue_.insert(in_queue(i));
  }

  int cheapest() const { return std::get<2>(*queue_.begin()); }
  const std::set<int>& row(int i) const { return row_[i]; }
  const std::set<int>& column(int i) const { return column_[i]; }

  // Each row that holds k takes over the columns of row k.
  void eliminate(int k) {
    std::set<int> touched;
    queue_.erase(in_queue(k));
    left_[k] = false;
    for (const int i : column_[k]) touched.insert(i);
    for (const int j : row_[k]) touched.insert(j);
    touched.erase(k);
    for (const int i : touched) queue_.erase(in_queue(i));
    for (const int i : column_[k])
      for (const int j : row_[k])
        if (i != k && j != k) add(i, j);
    for (const int i : column_[k])
      if (i != k) row_[i].erase(k);
    for (const int j : row_[k])
      if (j != k) column_[j].erase(k);
    for (const int i : touched) queue_.insert(in_queue(i));
  }

 private:
  void add(int i, int j) {
    row_[i].insert(j);
    column_[j].insert(i);
  }
  long cost(int i) const { return static_cast<long>(row_[i].size() - 1) * static_cast<long>(column_[i].size() - 1); }

  std::vector<std::set<int>> row_, column_;
  std::tuple<long, int, int> in_queue(int i) const { return {cost(i), rank_[i], i}; }

  std::vector<bool> left_;
  std::vector<int> rank_;                       // of states that cost the same
  std::set<std::tuple<long, int, int>> queue_;  // cost, rank, state
};

Lines by_rows(const std::vector<EliminationPlan::Entry>& entries, const std::vector<int>& order) {
  std::vector<int> row, state;
  for (const auto& entry : entries) {
    row.push_back(entry.row);
    state.push_back(order[entry.column]);
  }
  Lines lines = make_lines(row, state, static_cast<int>(order.size()));
  for (int& place : lines.place) place = entries[place].place;
  return lines;
}

}  // namespace

EliminationPlan plan_elimination(const Pattern& jacobian, int states, const std::vector<int>& algebraic) {
  EliminationPlan plan;
  Remainder remainder(jacobian, states, algebraic);
  std::vector<int> place(states);  // of a state in the order
  std::vector<std::vector<int>> rows_of_lower(states), rows_of_upper(states);
  for (int n = 0; n < states; ++n) {
    const int k = remainder.cheapest();
    place[k] = n;
    plan.order.push_back(k);
    plan.products += static_cast<double>(remainder.row(k).size()) * static_cast<double>(remainder.column(k).size());
    for (const int i : remainder.column(k))
      if (i != k) rows_of_lower[i].push_back(n);
    for (const int j : remainder.row(k))
      if (j != k) rows_of_upper[n].push_back(j);
    remainder.eliminate(k);
  }
  for (int n = 0; n < states; ++n) plan.pivot.push_back(plan.size++);
  for (int n = 0; n < states; ++n) {
    for (const int column : rows_of_lower[plan.order[n]]) plan.lower.push_back({n, column, plan.size++});
    std::set<int> columns;
    for (const int state : rows_of_upper[n]) columns.insert(place[state]);
    for (const int column : columns) plan.upper.push_back({n, column, plan.size++});
  }
  plan.is_shifted.assign(states, true);
  for (const int i : algebraic) plan.is_shifted[place[i]] = false;
  plan.lower_rows = by_rows(plan.lower, plan.order);
  plan.upper_rows = by_rows(plan.upper, plan.order);
  std::set<int> without_diagonal;
  for (int i = 0; i < states; ++i) without_diagonal.insert(i);
  for (int k = 0; k < jacobian.size(); ++k) {
    plan.given.push_back({place[jacobian.row[k]], place[jacobian.column[k]], k});
    if (jacobian.row[k] == jacobian.column[k]) without_diagonal.erase(jacobian.row[k]);
  }
  for (const int i : without_diagonal) plan.given.push_back({place[i], place[i], -1});
  std::sort(plan.given.begin(), plan.given.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.row, a.row != a.column, a.column) < std::tuple(b.row, b.row != b.column, b.column);
  });
  return plan;
}

namespace {

std::vector<NodeId> numbered(Graph& graph, const char* of, int count, Bank bank, Signature& signature) {
  std::vector<NodeId> out;
  for (int i = 0; i < count; ++i) {
    out.push_back(graph.symbol(std::string(of) + " " + std::to_string(i)));
    signature[out.back()] = {bank, i};
  }
  return out;
}

// Row by row: row i minus what the rows above it have to do with it.
Kernel factorization(const EliminationPlan& plan, int nonzeros) {
  Graph graph;
  Signature signature;
  const std::vector<NodeId> J = numbered(graph, "entry", nonzeros, Bank::seed, signature);
  const NodeId shift = graph.symbol("shift");
  signature[shift] = {Bank::time, 0};
  const int states = static_cast<int>(plan.order.size());
  std::vector<std::map<int, NodeId>> row(states);  // of B, then of U
  for (const auto& [i, j, place] : plan.given) {
    const NodeId given = place < 0 ? graph.constant(0) : J[place];
    row[i][j] = i == j && plan.is_shifted[i] ? graph.subtract(given, shift) : given;
  }
  std::vector<NodeId> list(plan.size, graph.constant(0));
  std::size_t next = 0;
  for (int i = 0; i < states; ++i) {
    for (; next < plan.lower.size() && plan.lower[next].row == i; ++next) {
      const int k = plan.lower[next].column;
      const NodeId factor = graph.multiply(row[i][k], list[plan.pivot[k]]);  // -l_ik
      list[plan.lower[next].place] = factor;
      for (auto above = row[k].upper_bound(k); above != row[k].end(); ++above) {
        const auto [place, is_fill] = row[i].try_emplace(above->first, graph.constant(0));
        place->second = graph.add(place->second, graph.multiply(factor, above->second));
      }
    }
    list[plan.pivot[i]] = graph.divide(graph.constant(-1), row[i][i]);
  }
  for (const auto& [i, j, place] : plan.upper) list[place] = row[i][j];
  return Kernel(graph, list, signature);
}

struct SolveFormulas {
  Graph graph{};
  Signature signature{};
  std::vector<NodeId> b{};  // in the order of elimination, becomes x
  std::vector<NodeId> list{};

  explicit SolveFormulas(const EliminationPlan& plan) {
    const int states = static_cast<int>(plan.order.size());
    const std::vector<NodeId> given = numbered(graph, "side", states, Bank::seed, signature);
    list = numbered(graph, "factor", plan.size, Bank::kept, signature);
    for (const int state : plan.order) b.push_back(given[state]);
  }
  void add(int to, int place, int from) { b[to] = graph.add(b[to], graph.multiply(list[place], b[from])); }
  void divide(const EliminationPlan& plan, int i) { b[i] = graph.multiply(b[i], list[plan.pivot[i]]); }
  Kernel kernel(const EliminationPlan& plan) const {
    std::vector<NodeId> out(b.size());
    for (std::size_t n = 0; n < b.size(); ++n) out[plan.order[n]] = b[n];
    return Kernel(graph, out, signature);
  }
};

// s M - J = -L U, and the list holds -L: z = L^-1 b by rows, then x_i = (z_i + sum_j u_ij x_j) (-1/u_ii) from below.
Kernel solution(const EliminationPlan& plan) {
  SolveFormulas s(plan);
  for (const auto& [i, k, place] : plan.lower) s.add(i, place, k);
  auto entry = plan.upper.rbegin();
  for (int i = static_cast<int>(plan.order.size()) - 1; i >= 0; --i) {
    for (; entry != plan.upper.rend() && entry->row == i; ++entry) s.add(i, entry->place, entry->column);
    s.divide(plan, i);
  }
  return s.kernel(plan);
}

Kernel transposed_solution(const EliminationPlan& plan) {
  SolveFormulas s(plan);
  auto entry = plan.upper.begin();
  for (int i = 0; i < static_cast<int>(plan.order.size()); ++i) {
    s.divide(plan, i);
    for (; entry != plan.upper.end() && entry->row == i; ++entry) s.add(entry->column, entry->place, i);
  }
  for (auto below = plan.lower.rbegin(); below != plan.lower.rend(); ++below)
    s.add(below->column, below->place, below->row);
  return s.kernel(plan);
}

}  // namespace

EliminationKernels elimination_kernels(const EliminationPlan& plan, int nonzeros) {
  return {factorization(plan, nonzeros), solution(plan), transposed_solution(plan)};
}

}  // namespace salvo::compile
