#include "integrate/consistency.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo::integrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double newton_converged = 1e-13;  // a step of z, relative to its size ...
constexpr double size_remembered = 1e-3;    // ... which counts this part of the largest z that was met
constexpr double newton_rounding = 1e-9;    // steps below this that do not shrink any more are rounding
constexpr int most_newton_steps = 50;
constexpr double shortest_newton_step = 1e-4;  // of Newton's step
constexpr double shortest_stretch = 1e-5;      // of the way from k = 0 to 1
constexpr double first_stretch = 0.25;

}  // namespace

struct Consistency::Matrices {
  MatrixXd g_z{};
  Eigen::PartialPivLU<MatrixXd> lu{};
  VectorXd g{}, step{}, next{}, size{};
};

Consistency::Consistency(const compile::CompiledModel& model) : model_(model) {
  if (!any()) return;
  of_ = std::make_unique<Matrices>();
  row_of_.assign(model.states, -1);
  for (std::size_t k = 0; k < model.algebraic.size(); ++k) row_of_[model.algebraic[k]] = static_cast<int>(k);
  const auto count = static_cast<Eigen::Index>(model.algebraic.size());
  of_->g_z.resize(count, count);
  of_->g.resize(count);
  nonzeros_.resize(
      std::max(model.f_x.size() + model.f_p.size(), model.looks_back() ? model.delays->jacobian.output_count() : 0));
  nu_.resize(model.algebraic.size());
  f_t_.resize(model.states);
}
Consistency::~Consistency() = default;
Consistency::Consistency(Consistency&&) noexcept = default;

void Consistency::gather(const double* nonzeros, int stride) {
  of_->g_z.setZero();
  for (int k = 0; k < model_.f_x.size(); ++k) {
    const int row = row_of_[model_.f_x.row[k]];
    const int column = row_of_[model_.f_x.column[k]];
    if (row >= 0 && column >= 0) of_->g_z(row, column) = nonzeros[static_cast<std::size_t>(k) * stride];
  }
  of_->lu.compute(of_->g_z);
}

// g less an offset; false if it is not finite.
bool Consistency::residual(LaneModel& lane, double t, const std::vector<double>& x, std::span<const double> offset) {
  const std::vector<double>& f = lane.f(t, x.data());
  for (std::size_t k = 0; k < model_.algebraic.size(); ++k)
    of_->g[static_cast<Eigen::Index>(k)] = f[model_.algebraic[k]] - (offset.empty() ? 0.0 : offset[k]);
  return of_->g.allFinite();
}

// Steps are judged by how much the next one with the same matrix is shorter, which no scaling of g changes
// ([Deuflhard04], natural level function).
bool Consistency::newton(LaneModel& lane, double t, std::vector<double>& x, std::span<const double> offset) {
  Matrices& m = *of_;
  const auto count = static_cast<Eigen::Index>(model_.algebraic.size());
  const auto z = [&](Eigen::Index k) -> double& { return x[model_.algebraic[k]]; };
  VectorXd largest(count);
  for (Eigen::Index k = 0; k < count; ++k) largest[k] = std::abs(z(k));
  const auto norm = [&](const VectorXd& step) {
    double worst = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
      if (step[k] == 0) continue;
      const double size = std::max(std::abs(z(k)), size_remembered * largest[k]);
      worst = std::max(worst, size > 0 ? std::abs(step[k]) / size : std::numeric_limits<double>::infinity());
      if (std::isnan(step[k])) return std::numeric_limits<double>::quiet_NaN();
    }
    return worst;
  };
  if (!residual(lane, t, x, offset)) return false;
  double before = std::numeric_limits<double>::infinity();
  for (int n = 0; n < most_newton_steps; ++n) {
    lane.run(model_.jacobian, t, x.data(), nonzeros_.data());
    gather(nonzeros_.data(), 1);
    m.step = -m.lu.solve(m.g);
    if (!m.step.allFinite()) return false;
    const std::vector<double> from = x;
    bool is_shorter = false;
    double length = norm(m.step);
    for (double share = 1; share >= shortest_newton_step && !is_shorter; share /= 2) {
      for (Eigen::Index k = 0; k < count; ++k) z(k) = from[model_.algebraic[k]] + share * m.step[k];
      if (!residual(lane, t, x, offset)) continue;
      m.next = m.lu.solve(m.g);
      for (Eigen::Index k = 0; k < count; ++k) largest[k] = std::max(largest[k], std::abs(z(k)));
      length = norm(m.step);
      const double next = norm(m.next);
      if (length <= newton_converged || (length <= newton_rounding && length >= before / 2)) return true;
      is_shorter = next <= (1 - share / 4) * length || next <= newton_converged;
    }
    if (!is_shorter) return false;
    before = length;
  }
  return false;
}

bool Consistency::solve(LaneModel& lane, double t, std::vector<double>& x) {
  const std::vector<double> from = x;
  if (newton(lane, t, x, {})) return true;
  x = from;
  if (!residual(lane, t, x, {})) return false;
  const VectorXd first = of_->g;
  std::vector<double> offset(model_.algebraic.size());
  double done = 0;
  double stretch = first_stretch;
  while (done < 1 && stretch >= shortest_stretch) {
    const double next = std::min(1.0, done + stretch);
    for (std::size_t k = 0; k < offset.size(); ++k) offset[k] = (1 - next) * first[static_cast<Eigen::Index>(k)];
    const std::vector<double> before = x;
    if (newton(lane, t, x, offset)) {
      done = next;
      stretch *= 2;
    } else {
      x = before;
      stretch /= 4;
    }
  }
  if (done < 1) x = from;
  return done >= 1;
}

void Consistency::linearize(LaneModel& lane, double t, const double* x) {
  if (!model_.looks_back()) {
    lane.run(model_.jacobian, t, x, nonzeros_.data());
    lane.f_t(t, x, f_t_.data());
  } else {
    const compile::Delays& delays = *model_.delays;
    lane.run(delays.jacobian, t, x, nonzeros_.data());
    std::fill(f_t_.begin(), f_t_.end(), 0.0);
    const double* slope = by_delayed().data();
    for (int z = 0; z < delays.f_z.size(); ++z, ++slope)
      if (!speeds_.empty()) f_t_[delays.f_z.row[z]] += *slope * speeds_[delays.f_z.column[z]];
    for (const int row : delays.f_t) f_t_[row] += *slope++;
  }
  gather(nonzeros_.data(), 1);
}

void Consistency::forward(const Strided& column, std::span<const AlongParameter> dp, double dt,
                          std::span<const double> more) {
  VectorXd& side = of_->g;
  for (std::size_t k = 0; k < model_.algebraic.size(); ++k)
    side[static_cast<Eigen::Index>(k)] =
        (dt == 0 ? 0.0 : f_t_[model_.algebraic[k]] * dt) + (more.empty() ? 0.0 : more[k]);
  for (int k = 0; k < model_.f_x.size(); ++k) {
    const int row = row_of_[model_.f_x.row[k]];
    if (row >= 0 && row_of_[model_.f_x.column[k]] < 0) side[row] += nonzeros_[k] * column[model_.f_x.column[k]];
  }
  for (const auto& [parameter, value] : dp)
    for (int k = 0; k < model_.f_p.size(); ++k) {
      const int row = model_.f_p.column[k] == parameter ? row_of_[model_.f_p.row[k]] : -1;
      if (row >= 0) side[row] += nonzeros_[model_.f_x.size() + k] * value;
    }
  of_->step = of_->lu.solve(side);
  for (std::size_t k = 0; k < model_.algebraic.size(); ++k)
    column[model_.algebraic[k]] = -of_->step[static_cast<Eigen::Index>(k)];
}

void Consistency::backward(const Strided& by_x, const Strided& by_p, double& by_t) {
  VectorXd& lambda = of_->g;
  for (std::size_t k = 0; k < model_.algebraic.size(); ++k) {
    lambda[static_cast<Eigen::Index>(k)] = -by_x[model_.algebraic[k]];
    by_x[model_.algebraic[k]] = 0;
  }
  std::fill(nu_.begin(), nu_.end(), 0.0);
  if (lambda.isZero(0)) return;
  const VectorXd nu = of_->lu.transpose().solve(lambda);
  std::copy(nu.begin(), nu.end(), nu_.begin());
  for (int k = 0; k < model_.f_x.size(); ++k) {
    const int row = row_of_[model_.f_x.row[k]];
    if (row >= 0 && row_of_[model_.f_x.column[k]] < 0) by_x[model_.f_x.column[k]] += nu[row] * nonzeros_[k];
  }
  for (int k = 0; k < model_.f_p.size(); ++k) {
    const int row = row_of_[model_.f_p.row[k]];
    if (row >= 0) by_p[model_.f_p.column[k]] += nu[row] * nonzeros_[model_.f_x.size() + k];
  }
  for (std::size_t k = 0; k < model_.algebraic.size(); ++k)
    by_t += nu[static_cast<Eigen::Index>(k)] * f_t_[model_.algebraic[k]];
}

const std::vector<double>& Consistency::velocity(LaneModel& lane, double t, const double* x) {
  if (!any()) return lane.f(t, x);
  velocity_ = lane.f(t, x);
  linearize(lane, t, x);
  forward({velocity_.data(), 1}, {}, 1);
  return velocity_;
}

double Consistency::condition() const { return 1 / of_->lu.rcond(); }

Consistency::Determinant Consistency::determinant(const double* nonzeros, int stride) {
  gather(nonzeros, stride);
  const MatrixXd& lu = of_->lu.matrixLU();
  Determinant out{.sign = static_cast<int>(of_->lu.permutationP().determinant()),
                  .least_pivot = std::numeric_limits<double>::infinity()};
  for (Eigen::Index k = 0; k < lu.rows(); ++k) {
    if (lu(k, k) < 0) out.sign = -out.sign;
    out.least_pivot = std::min(out.least_pivot, std::abs(lu(k, k)));
  }
  return out;
}

}  // namespace salvo::integrate
