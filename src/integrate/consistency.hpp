#pragma once

#include <memory>
#include <span>
#include <vector>

#include "integrate/lane_model.hpp"
#include "integrate/strided.hpp"

namespace salvo::integrate {

// Algebraic variables z of one trajectory: the root of 0 = g(x, z, t, p) and how it moves (docs/mathematics.md,
// section 23),
//   dz = -g_z^-1 (g_x dx + g_p dp + g_t dt),
//   backwards   nu = -g_z^-T lambda_z,   lambda_x += g_x' nu,   lambda_p += g_p' nu,   lambda_t += g_t' nu.
class Consistency {
 public:
  explicit Consistency(const compile::CompiledModel& model);
  ~Consistency();
  Consistency(Consistency&&) noexcept;
  Consistency& operator=(Consistency&&) = delete;

  bool any() const { return !model_.algebraic.empty(); }

  // Puts the root next to the z in x there: by Newton's method, damped, and where that does not lead to one, along
  // g(z) = (1 - k) g(z at first) from k = 0 to 1. False, with x as it was, if there is none.
  bool solve(LaneModel& lane, double t, std::vector<double>& x);

  // How fast delayed values change; where that is said, g_t is taken along them.
  void set_speeds(std::span<const double> speeds) { speeds_.assign(speeds.begin(), speeds.end()); }
  // The derivatives at a point.
  void linearize(LaneModel& lane, double t, const double* x);
  // dz of a direction whose dx stands in `column`; by_p holds [parameter, dp].
  struct AlongParameter {
    int parameter = 0;
    double value = 0;
  };
  // With g_Z dZ of delayed values, equation by equation, if there are any.
  void forward(const Strided& column, std::span<const AlongParameter> dp, double dt, std::span<const double> more = {});
  void backward(const Strided& by_x, const Strided& by_p, double& by_t);
  // The non-zeros of f_z where it was linearized, and nu of the last sweep backward, by the place of its state.
  std::span<const double> by_delayed() const {
    return std::span(nonzeros_).subspan(static_cast<std::size_t>(model_.f_x.size() + model_.f_p.size()));
  }
  double nu(int state) const { return row_of_[state] < 0 ? 0.0 : nu_[row_of_[state]]; }
  int row_of(int state) const { return row_of_[state]; }

  // dx/dt, dz/dt
  const std::vector<double>& velocity(LaneModel& lane, double t, const double* x);

  // Of g_z, in the norm of sums of columns, where it was linearized.
  double condition() const;

  // The determinant of g_z from the non-zeros of f_x, which stand `stride` apart: its sign, and the least of the pivots
  // in units of the rows.
  struct Determinant {
    int sign = 0;
    double least_pivot = 0;
  };
  Determinant determinant(const double* nonzeros, int stride);
  // Pivots of g_z that have shrunk to this part of what they were where steps become too small: two roots meet.
  static constexpr double near_fold = 1e-3;

 private:
  struct Matrices;
  void gather(const double* nonzeros, int stride);
  bool newton(LaneModel& lane, double t, std::vector<double>& x, std::span<const double> offset);
  bool residual(LaneModel& lane, double t, const std::vector<double>& x, std::span<const double> offset);

  const compile::CompiledModel& model_;
  std::vector<int> row_of_;  // of every state: its place among the algebraic ones, or -1
  std::vector<double> nonzeros_, f_t_, velocity_, speeds_{}, nu_{};
  std::unique_ptr<Matrices> of_;
};

}  // namespace salvo::integrate
