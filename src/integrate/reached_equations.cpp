#include "integrate/reached_equations.hpp"

#include <algorithm>
#include <numeric>

namespace salvo::integrate {
namespace {

// What follows from the states that a seed changes, or whose equations see its parameter.
std::vector<std::vector<bool>> reached_by_columns(const compile::CompiledModel& model, std::span<const Seed> seeds,
                                                  int columns) {
  // A jump may carry derivatives to any state.
  std::vector<std::vector<bool>> reached(columns, std::vector<bool>(model.states, model.discontinuities != nullptr));
  std::vector<std::pair<int, int>> fresh;  // column, state
  const auto add = [&](int column, int state) {
    if (reached[column][state]) return;
    reached[column][state] = true;
    fresh.push_back({column, state});
  };
  const auto add_line = [&](int column, int line) {
    for (int k = model.columns.start[line]; k < model.columns.start[line + 1]; ++k)
      add(column, model.columns.across[k]);
  };
  for (const auto& [column, row, value] : seeds) {
    if (row < model.states)
      add(column, row);
    else
      add_line(column, row);
  }
  while (!fresh.empty()) {
    const auto [column, state] = fresh.back();
    fresh.pop_back();
    add_line(column, state);
  }
  return reached;
}

// Where a line's terms stand in what it is copied to.
struct Offset {
  int place = 0;
  int across = 0;
};

// This is the part of a line that meets numbers that are reached, counted as `index` has them.
void add_line(const compile::Lines& from, int line, const std::vector<int>& index, const Offset& offset,
              SumsOfProducts& to) {
  for (int k = from.start[line]; k < from.start[line + 1]; ++k) {
    const int across = index[from.across[k]];
    if (across < 0) continue;
    to.terms.push_back(
        {static_cast<std::uint32_t>(offset.place + from.place[k]), static_cast<std::uint32_t>(offset.across + across)});
  }
}

void end_row(SumsOfProducts& sums) { sums.end.push_back(static_cast<std::uint32_t>(sums.terms.size())); }

}  // namespace

std::vector<ColumnGroup> group_columns(const compile::CompiledModel& model, std::span<const Seed> seeds, int columns,
                                       int most) {
  const auto reached = reached_by_columns(model, seeds, columns);
  std::vector<int> count(columns);
  for (int c = 0; c < columns; ++c) count[c] = static_cast<int>(std::count(reached[c].begin(), reached[c].end(), true));
  std::vector<int> order(columns);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return count[a] != count[b] ? count[a] > count[b] : reached[a] > reached[b]; });
  std::vector<ColumnGroup> groups;
  for (int n = 0; n < columns; ++n) {
    if (n % most == 0) groups.push_back({.reached = std::vector<bool>(model.states, false)});
    ColumnGroup& group = groups.back();
    group.columns.push_back(order[n]);
    for (int i = 0; i < model.states; ++i)
      if (reached[order[n]][i]) group.reached[i] = true;
  }
  return groups;
}

void SumsOfProducts::spread(int places, int numbers) {
  for (Term& term : terms) {
    term.place *= places;
    term.across *= numbers;
  }
}

ReachedEquations reached_equations(const compile::CompiledModel& model, const compile::StiffKernels& kernels,
                                   const std::vector<bool>& reached) {
  ReachedEquations out;
  std::vector<int> index(model.states, -1);
  std::vector<int> in_plan;
  for (int n = 0; n < model.states; ++n) {
    const int state = kernels.plan ? kernels.plan->order[n] : n;
    if (!reached[state]) continue;
    index[state] = static_cast<int>(out.states.size());
    out.states.push_back(state);
    in_plan.push_back(n);
  }
  compile::Lines upper;  // in their own order
  if (kernels.plan) upper = kernels.plan->upper_rows;
  std::iota(upper.place.begin(), upper.place.end(), 0);
  const int count = static_cast<int>(out.states.size());
  for (int n = 0; n < count; ++n) {
    add_line(model.rows, out.states[n], index, {}, out.products);
    add_line(kernels.curvature_rows, out.states[n], index, {.place = model.columns.size(), .across = count},
             out.products);
    end_row(out.products);
    if (!kernels.plan) continue;
    add_line(kernels.plan->lower_rows, in_plan[n], index, {}, out.down);
    end_row(out.down);
    add_line(upper, in_plan[count - 1 - n], index, {}, out.up);
    end_row(out.up);
    out.pivot.push_back(static_cast<std::uint32_t>(kernels.plan->pivot[in_plan[n]]));
  }
  return out;
}

}  // namespace salvo::integrate
