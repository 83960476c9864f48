#include "integrate/conserved.hpp"

#include "base/random.hpp"
#include "dense/complete_orthogonal.hpp"
#include "dense/pivoted_qr.hpp"

namespace salvo::integrate {
namespace {

// Pivots below this part of the largest are rounding.
constexpr double rounding = 1e-10;
constexpr int spare_points = 4;
constexpr std::uint64_t seed = 1;

// States around x0, of the same signs, at which f is finite.
std::vector<Eigen::VectorXd> points_near(PointModel& model, const Eigen::VectorXd& x0, const Eigen::VectorXd& sizes) {
  std::vector<Eigen::VectorXd> points;
  Random random(seed);
  const int wanted = model.states() + spare_points;
  for (int attempt = 0; attempt < 2 * wanted && static_cast<int>(points.size()) < wanted; ++attempt) {
    Eigen::VectorXd x = x0;
    for (int i = 0; i < x.size(); ++i) {
      const double sign = x0[i] < 0 ? -1 : 1;
      x[i] = x0[i] * (0.5 + random.uniform()) + sign * 0.1 * sizes[i] * random.uniform();
    }
    if (model.f(x).allFinite() && model.f_x(x).allFinite()) points.push_back(x);
  }
  return points;
}

}  // namespace

ConservedQuantities conserved_quantities(PointModel& model, const Eigen::VectorXd& x0, const Eigen::VectorXd& sizes) {
  ConservedQuantities out{.points = points_near(model, x0, sizes)};
  const int d = model.states();
  // [f_x  f] at a few points: what is orthogonal to all of it is conserved. Every equation counts the same, however
  // slow.
  const int looked_at = std::min<int>(3, static_cast<int>(out.points.size()));
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(d, looked_at * (d + 1));
  for (int k = 0; k < looked_at; ++k) {
    A.middleCols(k * (d + 1), d) = model.f_x(out.points[k]) * sizes.asDiagonal();
    A.col(k * (d + 1) + d) = model.f(out.points[k]);
  }
  Eigen::VectorXd row_size = A.rowwise().norm();
  for (double& size : row_size)
    if (!(size > 0)) size = 1;
  if (looked_at == 0) return out;
  const dense::PivotedQr qr(row_size.cwiseInverse().asDiagonal() * A, rounding);
  out.L = qr.Q().rightCols(d - qr.rank()).transpose() * row_size.cwiseInverse().asDiagonal();
  return out;
}

// From L(p) f(x, p) = 0 for all x:  L_p f = -L f_p. The difference is a sum of values of f, x - x0 = sum_k c_k f(x_k).
Eigen::MatrixXd change_of_conserved(PointModel& model, const ConservedQuantities& conserved,
                                    const Eigen::VectorXd& difference) {
  const int points = static_cast<int>(conserved.points.size());
  if (points == 0) return Eigen::MatrixXd::Zero(conserved.count(), model.active());
  Eigen::MatrixXd F(model.states(), points);
  for (int k = 0; k < points; ++k) F.col(k) = model.f(conserved.points[k]);
  const Eigen::VectorXd c = dense::shortest_solution(F, difference, rounding).x;
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(conserved.count(), model.active());
  for (int k = 0; k < points; ++k) out -= c[k] * conserved.L * model.f_p(conserved.points[k]);
  return out;
}

}  // namespace salvo::integrate
