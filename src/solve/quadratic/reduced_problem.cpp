#include "solve/quadratic/reduced_problem.hpp"

#include <cmath>

namespace salvo::solve {
namespace {

// Rows that are gathered one by one.
class RowList {
 public:
  explicit RowList(int columns) : columns_(columns) {}

  // sign * (row `from` of `matrix`) x + c
  void add(const Matrix& matrix, int from, double sign, double c, bool equality) {
    for (int k = 0; k < columns_; ++k) entries_.push_back(sign * matrix(from, k));
    c_.push_back(c);
    equality_.push_back(equality);
  }
  int count() const { return static_cast<int>(c_.size()); }
  LinearConstraints constraints() const {
    LinearConstraints out{Matrix(count(), columns_), c_, equality_};
    for (int i = 0; i < count(); ++i)
      for (int k = 0; k < columns_; ++k) out.C(i, k) = entries_[static_cast<std::size_t>(i) * columns_ + k];
    return out;
  }

 private:
  int columns_;
  std::vector<double> entries_;  // row by row
  std::vector<double> c_;
  std::vector<bool> equality_;
};

}  // namespace

ReducedStep solve_reduced(const ReducedProblem& problem, const std::vector<double>& lower,
                          const std::vector<double>& upper) {
  RowList rows(problem.F.cols);
  const int constraints = static_cast<int>(problem.constraints.c.size());
  for (int i = 0; i < constraints; ++i)
    rows.add(problem.constraints.C, i, 1, problem.constraints.c[i], problem.constraints.equality[i]);
  struct Bound {
    int theta = 0;
    bool is_upper = false;
  };
  std::vector<Bound> bounds;  // of the rows behind the constraints
  for (int i = 0; i < problem.theta.rows; ++i) {
    if (std::isfinite(lower[i])) {
      rows.add(problem.theta, i, -1, lower[i] - problem.theta_at_zero[i], false);
      bounds.push_back({i, false});
    }
    if (std::isfinite(upper[i])) {
      rows.add(problem.theta, i, 1, problem.theta_at_zero[i] - upper[i], false);
      bounds.push_back({i, true});
    }
  }
  const LinearConstraints all = rows.constraints();
  ConstrainedSolution solution = constrained_least_squares(problem.F, problem.f, all, problem.rule);

  ReducedStep out{.x = std::move(solution.x), .held = std::vector<bool>(problem.theta.rows, false)};
  const bool relaxed = !solution.conflict.empty();
  for (int i = 0; i < constraints; ++i) {
    // What was relaxed does not hold yet.
    const bool gave_way = relaxed && (all.equality[i] ? all.c[i] != 0 : all.c[i] > 0);
    if (solution.active[i] && !gave_way) out.active.push_back(i);
  }
  for (std::size_t k = 0; k < bounds.size(); ++k)
    if (solution.active[constraints + k]) out.held[bounds[k].theta] = true;
  out.multipliers.assign(solution.multipliers.begin(), solution.multipliers.begin() + constraints);
  for (const int row : solution.conflict) {
    if (row < constraints)
      out.conflict.rows.push_back(row);
    else
      (bounds[row - constraints].is_upper ? out.conflict.upper : out.conflict.lower)
          .push_back(bounds[row - constraints].theta);
  }
  return out;
}

std::vector<double> correct_reduced(const ReducedProblem& problem, const std::vector<bool>& held,
                                    const std::vector<int>& active) {
  RowList rows(problem.F.cols);
  for (int i = 0; i < problem.theta.rows; ++i)
    if (held[i]) rows.add(problem.theta, i, 1, problem.theta_at_zero[i], true);
  for (const int i : active) rows.add(problem.constraints.C, i, 1, problem.constraints.c[i], true);
  return constrained_least_squares(problem.F, problem.f, rows.constraints(), problem.rule).x;
}

}  // namespace salvo::solve
