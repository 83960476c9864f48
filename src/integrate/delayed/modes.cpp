#include "integrate/delayed/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "dense/modes.hpp"

namespace salvo::integrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int intervals = 12;  // between points
constexpr Eigen::Index largest_matrix = 200;

// Points from 0 back to -1.
std::vector<double> chebyshev_points() {
  std::vector<double> out;
  for (int j = 0; j <= intervals; ++j) out.push_back((std::cos(std::numbers::pi * j / intervals) - 1) / 2);
  return out;
}

// Weights of the barycentric formula.
double weight(int j) { return (j % 2 == 0 ? 1 : -1) * (j == 0 || j == intervals ? 0.5 : 1.0); }

VectorXd interpolation_at(const std::vector<double>& points, double at) {
  VectorXd out = VectorXd::Zero(intervals + 1);
  for (int j = 0; j <= intervals; ++j)
    if (at == points[j]) return VectorXd::Unit(intervals + 1, j);
  for (int j = 0; j <= intervals; ++j) out[j] = weight(j) / (at - points[j]);
  return out / out.sum();
}

double slope(const std::vector<double>& points, int i, int j) {
  if (i != j) return weight(j) / weight(i) / (points[i] - points[j]);
  double sum = 0;
  for (int k = 0; k <= intervals; ++k)
    if (k != i) sum -= slope(points, i, k);
  return sum;
}

}  // namespace

std::optional<Eigen::VectorXcd> delayed_modes(const compile::CompiledModel& model, std::span<const double> tau,
                                              std::span<const double> p, const VectorXd& x) {
  const compile::Delays& delays = *model.delays;
  const int d = model.states;
  const Eigen::Index size = static_cast<Eigen::Index>(d) * (intervals + 1);
  if (size > largest_matrix) return std::nullopt;
  std::vector<double> own(p.begin(), p.end()), work(static_cast<std::size_t>(model.largest_work()));
  for (int l = 0; l < delays.count(); ++l) own[static_cast<std::size_t>(delays.first + l)] = x[delays.looks[l].state];
  const double time = 0;  // the model is autonomous
  if (model.discontinuities)
    model.discontinuities->as_written.run<1>({.time = &time, .state = x.data(), .parameter = own.data()}, work.data(),
                                             own.data() + model.discontinuities->first);
  std::vector<double> nonzeros(static_cast<std::size_t>(delays.jacobian.output_count()));
  delays.jacobian.run<1>({.time = &time, .state = x.data(), .parameter = own.data()}, work.data(), nonzeros.data());
  const double longest = *std::max_element(tau.begin(), tau.end());
  const std::vector<double> points = chebyshev_points();
  MatrixXd A = MatrixXd::Zero(size, size);
  for (int z = 0; z < model.f_x.size(); ++z) A(model.f_x.row[z], model.f_x.column[z]) += nonzeros[z];
  const double* by_z = nonzeros.data() + model.f_x.size() + model.f_p.size();
  for (int z = 0; z < delays.f_z.size(); ++z) {
    const compile::Look& look = delays.looks[delays.f_z.column[z]];
    const VectorXd at = interpolation_at(points, -tau[look.delay] / longest);
    for (int j = 0; j <= intervals; ++j) A(delays.f_z.row[z], j * d + look.state) += by_z[z] * at[j];
  }
  for (int i = 1; i <= intervals; ++i)
    for (int j = 0; j <= intervals; ++j)
      for (int n = 0; n < d; ++n) A(i * d + n, j * d + n) = slope(points, i, j) / longest;
  if (!A.allFinite()) return std::nullopt;
  return dense::eigenvalues(A);
}

}  // namespace salvo::integrate
