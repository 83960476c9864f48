#include "shooting/smoothing_spline.hpp"

#include <algorithm>
#include <cmath>

#include "base/contract.hpp"

namespace salvo::shooting {
namespace {

// B = R + λ Q'W^-1 Q of Reinsch's system, five bands of size n - 2, as L D L'; times are measured in spans of the data.
class ReinschSystem {
 public:
  explicit ReinschSystem(std::span<const SeriesPoint> points) : n_(static_cast<int>(points.size())), points_(points) {
    const double span = points.back().time - points.front().time;
    for (int i = 0; i + 1 < n_; ++i) h_.push_back((points[i + 1].time - points[i].time) / span);
    for (int j = 0; j < inner(); ++j) {
      r0_.push_back((h_[j] + h_[j + 1]) / 3);
      r1_.push_back(h_[j + 1] / 6);
      s0_.push_back(product(j, j));
      s1_.push_back(j + 1 < inner() ? product(j, j + 1) : 0);
      s2_.push_back(j + 2 < inner() ? product(j, j + 2) : 0);
      qy_.push_back(q(j, j) * points[j].value + q(j + 1, j) * points[j + 1].value + q(j + 2, j) * points[j + 2].value);
    }
  }

  int inner() const { return n_ - 2; }
  // λ at which both parts of B weigh the same.
  double reference() const {
    double r = 0;
    double s = 0;
    for (int j = 0; j < inner(); ++j) r += r0_[j], s += s0_[j];
    return r / s;
  }

  struct Solution {
    std::vector<double> second{};    // γ, of the inner knots, per span^2
    std::vector<double> residual{};  // y - s
    double squares = 0;              // Σ (residual / sigma)^2
    double freedom = 0;              // trace of the smoother
    std::vector<double> left_out{};  // by how much the curve through the others misses each point
  };
  Solution solve(double lambda) {
    factorize(lambda);
    Solution out{.second = solve_bands(), .residual = std::vector<double>(n_, 0.0)};
    for (int j = 0; j < inner(); ++j)
      for (int i = j; i <= j + 2; ++i)
        out.residual[i] += lambda * points_[i].sigma * points_[i].sigma * q(i, j) * out.second[j];
    for (int i = 0; i < n_; ++i) {
      const double scaled = out.residual[i] / points_[i].sigma;
      out.squares += scaled * scaled;
    }
    invert_bands();
    out.freedom = n_ - lambda * trace_of_inverse_times_product();
    for (int i = 0; i < n_; ++i) out.left_out.push_back(bend_at(i, out.second) / stiffness_at(i));
    return out;
  }

 private:
  // Second differences: column j belongs to the inner knot j + 1.
  double q(int i, int j) const {
    if (i == j) return 1 / h_[j];
    if (i == j + 1) return -1 / h_[j] - 1 / h_[j + 1];
    return 1 / h_[j + 1];
  }
  // (Q'W^-1 Q)_jk for k = j, j + 1, j + 2
  double product(int j, int k) const {
    double sum = 0;
    for (int i = k; i <= j + 2; ++i) sum += points_[i].sigma * points_[i].sigma * q(i, j) * q(i, k);
    return sum;
  }
  void factorize(double lambda) {
    const int n = inner();
    d_.assign(n, 0);
    l1_.assign(n, 0);
    l2_.assign(n, 0);
    for (int j = 0; j < n; ++j) {
      double diagonal = r0_[j] + lambda * s0_[j];
      double next = r1_[j] + lambda * s1_[j];
      if (j >= 1) diagonal -= d_[j - 1] * l1_[j - 1] * l1_[j - 1], next -= d_[j - 1] * l1_[j - 1] * l2_[j - 1];
      if (j >= 2) diagonal -= d_[j - 2] * l2_[j - 2] * l2_[j - 2];
      d_[j] = diagonal;
      if (j + 1 < n) l1_[j] = next / diagonal;
      if (j + 2 < n) l2_[j] = lambda * s2_[j] / diagonal;
    }
  }
  std::vector<double> solve_bands() const {
    const int n = inner();
    std::vector<double> x = qy_;
    for (int j = 0; j < n; ++j) {
      if (j >= 1) x[j] -= l1_[j - 1] * x[j - 1];
      if (j >= 2) x[j] -= l2_[j - 2] * x[j - 2];
    }
    for (int j = n - 1; j >= 0; --j) {
      x[j] /= d_[j];
      if (j + 1 < n) x[j] -= l1_[j] * x[j + 1];
      if (j + 2 < n) x[j] -= l2_[j] * x[j + 2];
    }
    return x;
  }
  // The five bands of B^-1 from its factors, last row first ([HutchinsonDeHoog85]).
  void invert_bands() {
    const int n = inner();
    for (auto* band : {&v0_, &v1_, &v2_}) band->assign(n + 2, 0.0);
    for (int j = n - 1; j >= 0; --j) {
      v1_[j] = -l1_[j] * v0_[j + 1] - l2_[j] * v1_[j + 1];
      v2_[j] = -l1_[j] * v1_[j + 1] - l2_[j] * v0_[j + 2];
      v0_[j] = 1 / d_[j] - l1_[j] * v1_[j] - l2_[j] * v2_[j];
    }
  }
  double trace_of_inverse_times_product() const {
    double trace = 0;
    for (int j = 0; j < inner(); ++j) trace += v0_[j] * s0_[j] + 2 * v1_[j] * s1_[j] + 2 * v2_[j] * s2_[j];
    return trace;
  }
  // (Q γ)_i and (Q B^-1 Q')_ii: residual and 1 - leverage of a point, but for the same factor, which vanishes with λ.
  double bend_at(int i, const std::vector<double>& second) const {
    double sum = 0;
    for (int j = std::max(0, i - 2); j <= std::min(i, inner() - 1); ++j) sum += q(i, j) * second[j];
    return sum;
  }
  double stiffness_at(int i) const {
    double sum = 0;
    for (int j = std::max(0, i - 2); j <= std::min(i, inner() - 1); ++j) {
      sum += q(i, j) * q(i, j) * v0_[j];
      if (j + 1 <= std::min(i, inner() - 1)) sum += 2 * q(i, j) * q(i, j + 1) * v1_[j];
      if (j + 2 <= std::min(i, inner() - 1)) sum += 2 * q(i, j) * q(i, j + 2) * v2_[j];
    }
    return sum;
  }

  int n_;
  std::span<const SeriesPoint> points_;
  std::vector<double> h_, r0_, r1_, s0_, s1_, s2_, qy_;
  std::vector<double> d_, l1_, l2_;   // factors of B
  std::vector<double> v0_, v1_, v2_;  // bands of B^-1
};

constexpr double widest = 16;  // powers of ten on either side of the reference

// The sum of squares grows with λ from nothing to that of a straight line, and so does n - freedom, what noise of the
// stated level leaves on average; they cross where the curve has taken up what is not noise.
double by_discrepancy(ReinschSystem& system, int n) {
  double low = -widest;
  double high = widest;
  for (int halving = 0; halving < 40; ++halving) {
    const double middle = 0.5 * (low + high);
    const auto solution = system.solve(system.reference() * std::pow(10, middle));
    (solution.squares < n - solution.freedom ? low : high) = middle;
  }
  return low;
}

// n Σ / (n - freedom)^2 is least.
double by_cross_validation(ReinschSystem& system, int n) {
  const auto score = [&](double power) {
    const auto solution = system.solve(system.reference() * std::pow(10, power));
    const double left = n - solution.freedom;
    return left > 1e-6 * n ? solution.squares / (left * left) : HUGE_VAL;
  };
  double best = 0;
  for (double step = 1, range = 8; step > 0.03; range = step, step /= 4) {
    const double middle = best;
    double least = score(best);
    for (double power = middle - range; power <= middle + range; power += step) {
      const double value = score(power);
      if (value < least) least = value, best = power;
    }
  }
  return best;
}

double rms_sigma(std::span<const SeriesPoint> points) {
  double sum = 0;
  for (const SeriesPoint& point : points) sum += point.sigma * point.sigma;
  return std::sqrt(sum / static_cast<double>(points.size()));
}

}  // namespace

Curve smoothing_spline(std::span<const SeriesPoint> points, NoiseLevel level) {
  SALVO_EXPECTS(!points.empty());
  const int n = static_cast<int>(points.size());
  Curve curve{.freedom = std::min(2.0, 1.0 * n), .sigma = rms_sigma(points)};
  for (const SeriesPoint& point : points) {
    curve.time.push_back(point.time);
    curve.value.push_back(point.value);
  }
  curve.second.assign(n, 0.0);
  curve.left_out.assign(n, 0.0);
  if (n <= 2) return curve;

  ReinschSystem system(points);
  const double power = level == NoiseLevel::known ? by_discrepancy(system, n) : by_cross_validation(system, n);
  const auto solution = system.solve(system.reference() * std::pow(10, power));
  const double span = points.back().time - points.front().time;
  for (int i = 0; i < n; ++i) curve.value[i] -= solution.residual[i];
  for (int j = 0; j < n - 2; ++j) curve.second[j + 1] = solution.second[j] / (span * span);
  curve.freedom = solution.freedom;
  curve.left_out = solution.left_out;
  if (level == NoiseLevel::unknown)
    curve.sigma *= std::sqrt(solution.squares / std::max(n - solution.freedom, 1e-6 * n));
  return curve;
}

double Curve::at(double t) const {
  const int n = static_cast<int>(time.size());
  if (n == 1) return value[0];
  const double beyond = (time.back() - time.front()) / (n - 1);
  t = std::clamp(t, time.front() - beyond, time.back() + beyond);
  const int i =
      std::clamp(static_cast<int>(std::upper_bound(time.begin(), time.end(), t) - time.begin()) - 1, 0, n - 2);
  const double h = time[i + 1] - time[i];
  const double chord = (value[i + 1] - value[i]) / h;
  if (t < time.front()) return value[0] + (chord - h * second[1] / 6) * (t - time[0]);
  if (t > time.back()) return value[n - 1] + (chord + h * second[n - 2] / 6) * (t - time[n - 1]);
  const double left = t - time[i];
  const double right = time[i + 1] - t;
  return (left * value[i + 1] + right * value[i]) / h -
         left * right / 6 * ((1 + left / h) * second[i + 1] + (1 + right / h) * second[i]);
}

std::vector<SeriesPoint> averaged(std::vector<SeriesPoint> points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const SeriesPoint& a, const SeriesPoint& b) { return a.time < b.time; });
  std::vector<SeriesPoint> out;
  for (std::size_t i = 0; i < points.size();) {
    const double unit = points[i].sigma;  // keeps the weights near one
    double weight = 0;
    double sum = 0;
    const double time = points[i].time;
    for (; i < points.size() && points[i].time == time; ++i) {
      const double w = (unit / points[i].sigma) * (unit / points[i].sigma);
      weight += w;
      sum += w * points[i].value;
    }
    out.push_back({.time = time, .value = sum / weight, .sigma = unit / std::sqrt(weight)});
  }
  return out;
}

double interpolate(std::span<const SeriesPoint> points, double t) {
  const auto after = std::lower_bound(points.begin(), points.end(), t,
                                      [](const SeriesPoint& p, double time) { return p.time < time; });
  if (after == points.end()) return points.back().value;
  if (after == points.begin() || after->time == t) return after->value;
  const auto before = std::prev(after);
  const double weight = (t - before->time) / (after->time - before->time);
  return (1 - weight) * before->value + weight * after->value;
}

}  // namespace salvo::shooting
