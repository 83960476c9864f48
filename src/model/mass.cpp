#include "model/mass.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "expression/affine.hpp"

namespace salvo::model {
namespace {

class MassReducer {
 public:
  MassReducer(expression::Graph& graph, const MassRows& rows, const std::vector<NodeId>& f)
      : graph_(graph), f_(f), pivot_of_row_(rows.size(), -1), is_pivot_(rows.size(), false) {
    for (const auto& row : rows) {
      auto& entries = rows_.emplace_back();
      for (const auto& [state, value] : row)
        if (!expression::is_zero_everywhere(graph, value)) entries[state] = value;
    }
  }

  ReducedMass run() {
    while (const auto pivot = best_pivot()) eliminate(pivot->first, pivot->second);
    ReducedMass out;
    for (int i = 0; i < size(); ++i)
      if (pivot_of_row_[i] < 0) out.zeros.push_back({.row = i, .g = f_[i]});
    for (int i = 0; i < size(); ++i) {
      if (pivot_of_row_[i] < 0) continue;
      ReducedMass::Combination each{.state = pivot_of_row_[i], .derivative = f_[i]};
      for (const auto& [state, value] : rows_[i])
        if (state != each.state) each.others.push_back({state, value});
      out.combinations.push_back(std::move(each));
    }
    for (int k = 0; k < size(); ++k)
      if (!is_pivot_[k]) out.algebraic.push_back(k);
    return out;
  }

 private:
  int size() const { return static_cast<int>(rows_.size()); }

  // Of the rows and states that are left: a number on the diagonal, a number, a formula on the diagonal, any formula.
  std::optional<std::pair<int, int>> best_pivot() const {
    std::optional<std::pair<int, int>> best;
    int best_rank = 0;
    for (int i = 0; i < size(); ++i) {
      if (pivot_of_row_[i] >= 0) continue;
      for (const auto& [state, value] : rows_[i]) {
        const int rank = 1 + (state == i ? 1 : 0) + (graph_.is_constant(value) ? 2 : 0);
        if (rank > best_rank) best_rank = rank, best = {i, state};
      }
    }
    return best;
  }

  void eliminate(int row, int state) {
    pivot_of_row_[row] = state;
    is_pivot_[state] = true;
    const NodeId pivot = rows_[row][state];
    for (auto& [column, value] : rows_[row]) value = column == state ? graph_.constant(1) : graph_.divide(value, pivot);
    f_[row] = graph_.divide(f_[row], pivot);
    for (int i = 0; i < size(); ++i) {
      const auto found = rows_[i].find(state);
      if (i == row || found == rows_[i].end()) continue;
      const NodeId factor = found->second;
      rows_[i].erase(found);
      for (const auto& [column, value] : rows_[row]) {
        if (column == state) continue;
        const NodeId less = graph_.multiply(factor, value);
        const auto [entry, is_new] = rows_[i].try_emplace(column, graph_.negate(less));
        if (!is_new) entry->second = graph_.subtract(entry->second, less);
        if (expression::is_zero_everywhere(graph_, entry->second)) rows_[i].erase(entry);
      }
      f_[i] = graph_.subtract(f_[i], graph_.multiply(factor, f_[row]));
    }
  }

  expression::Graph& graph_;
  std::vector<NodeId> f_;
  std::vector<std::map<int, NodeId>> rows_;  // by states, without zeros
  std::vector<int> pivot_of_row_;            // the state; -1: none
  std::vector<bool> is_pivot_;
};

}  // namespace

ReducedMass reduce_mass(expression::Graph& graph, const MassRows& rows, const std::vector<NodeId>& f) {
  return MassReducer(graph, rows, f).run();
}

}  // namespace salvo::model
