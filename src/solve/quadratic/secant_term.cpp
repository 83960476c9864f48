#include "solve/quadratic/secant_term.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/elimination/views.hpp"

namespace salvo::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SecantTerm::SecantTerm(std::vector<double> entries, bool is_better) : is_better_(is_better) {
  const int n = static_cast<int>(std::lround(std::sqrt(static_cast<double>(entries.size()))));
  S_.rows = S_.cols = n;
  S_.data = std::move(entries);
}

void SecantTerm::update(const std::vector<double>& s, const std::vector<double>& before,
                        const std::vector<double>& after, const Matrix& R_after) {
  const double almost_orthogonal =
      1e-8;  // the root of a rounding: v's of a change of the gradient that says nothing about s
  const auto n = static_cast<int>(s.size());
  const auto step = map(s);
  const VectorXd v = map(after) - map(before);
  const double slope = v.dot(step);
  if (!(std::abs(slope) > almost_orthogonal * v.norm() * step.norm())) return;
  if (!is_known()) S_.resize(n, n);
  Eigen::Map<MatrixXd> S(S_.data.data(), n, n);
  const VectorXd target = v - map(R_after).transpose() * (map(R_after) * step);
  const VectorXd Ss = S * step;
  const double curvature = std::abs(step.dot(Ss));
  const double sizing = curvature > 0 ? std::min(1.0, std::abs(step.dot(target)) / curvature) : 1.0;
  const VectorXd w = target - sizing * Ss;
  S = sizing * S + (w * v.transpose() + v * w.transpose()) / slope - w.dot(step) / (slope * slope) * v * v.transpose();
}

void SecantTerm::renew(Matrix S) {
  S_ = std::move(S);
  is_better_ = true;
}

void SecantTerm::rescale(const std::vector<double>& by) {
  for (int j = 0; j < S_.cols; ++j)
    for (int i = 0; i < S_.rows; ++i) S_(i, j) *= by[i] * by[j];
}

void SecantTerm::compare(double without, double with, double actual) {
  is_better_ = std::abs(with - actual) < std::abs(without - actual);
}

}  // namespace salvo::solve
