#include "start/smoothing_spline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/contract.hpp"
#include "start/reinsch_system.hpp"

namespace salvo::start {
namespace {

// λ is sought by its natural logarithm, against that of the reference, as far as doubles can tell both parts of B.
const double decade = std::numbers::ln10;
const double widest = std::numeric_limits<double>::digits10 * decade;
// Half of the digits: a trace of which less is left, for each point, is rounding ...
const double rounding = std::sqrt(std::numeric_limits<double>::epsilon());
// ... and a quarter: a curve with so few degrees of freedom beyond the two of a line is one.
const double straight = std::sqrt(rounding);

// The sum of squares grows with λ from nothing to that of a straight line, and so does n - freedom, what noise of the
// stated level leaves on average; they cross where the curve has taken up what is not noise. The logarithm of their
// ratio grows like log λ where λ is small. Its zero is found by secants, each shorter than half of the last step but
// one, or else by halving ([Brent73]): with four to ten solutions.
double by_discrepancy(ReinschSystem& system, double reference, int n, double precision) {
  double low = -widest;
  double high = widest;
  double at = 0;
  double excess_before = 0;
  double step = high - low;
  double step_before = step;
  for (bool is_first = true; std::abs(step) > precision * decade; is_first = false) {
    const auto [squares, left] = system.solve(reference * std::exp(at));
    const double excess = std::log(squares / left);
    if (!(squares > 0)) return widest;
    if (!std::isfinite(excess) || (excess < 0 && n - left < 2 + straight)) break;
    (excess < 0 ? low : high) = at;
    const double secant = is_first ? -excess : -excess * step / (excess - excess_before);
    const bool is_inside = low < at + secant && at + secant < high;
    const double next = is_inside && std::abs(secant) < 0.5 * std::abs(step_before) ? secant : 0.5 * (low + high) - at;
    step_before = std::exchange(step, next);
    excess_before = excess;
    at += step;
  }
  return at;
}

// n Σ / (n - freedom)^2 is least: among powers of ten, then among quarters of them, and so on.
double by_cross_validation(ReinschSystem& system, double reference, int n, double precision) {
  const auto score = [&](double power) {
    const auto [squares, left] = system.solve(reference * std::exp(power));
    return left > rounding * n ? squares / (left * left) : HUGE_VAL;
  };
  double best = 0;
  for (double step = decade, range = widest; step > precision * decade; range = step, step /= 4) {
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

Curve smoothing_spline(std::span<const SeriesPoint> points, NoiseLevel level, double precision) {
  SALVO_EXPECTS(!points.empty());
  const int n = static_cast<int>(points.size());
  Curve curve{.freedom = std::min(2.0, 1.0 * n), .sigma = rms_sigma(points)};
  for (auto* numbers : {&curve.time, &curve.value, &curve.second, &curve.left_out}) numbers->assign(n, 0.0);
  for (int i = 0; i < n; ++i) {
    curve.time[i] = points[i].time;
    curve.value[i] = points[i].value;
  }
  if (n <= 2) return curve;

  ReinschSystem system(points);
  const double reference = system.reference();
  const double power = level == NoiseLevel::known ? by_discrepancy(system, reference, n, precision)
                                                  : by_cross_validation(system, reference, n, precision);
  const auto [squares, left] = system.solve(reference * std::exp(power));
  const double span = points.back().time - points.front().time;
  for (int i = 0; i < n; ++i) {
    curve.value[i] -= system.residual(i);
    curve.second[i] = system.second(i) / (span * span);
    curve.left_out[i] = system.left_out(i);
  }
  curve.freedom = n - left;
  if (level == NoiseLevel::unknown) curve.sigma *= std::sqrt(squares / std::max(left, rounding * n));
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

namespace {

// Weighed by their errors.
SeriesPoint mean_of(std::span<const SeriesPoint> points) {
  const double unit = points.front().sigma;  // so that weights are near one
  const double first = points.front().time;
  double weight = 0;
  double sum = 0;
  double later = 0;
  for (const SeriesPoint& point : points) {
    const double w = (unit / point.sigma) * (unit / point.sigma);
    weight += w;
    sum += w * point.value;
    later += w * (point.time - first);
  }
  return {.time = first + later / weight, .value = sum / weight, .sigma = unit / std::sqrt(weight)};
}

// Puts the mean of points i to next(i) in their place, and so on.
template <class Next>
void merge(std::vector<SeriesPoint>& points, const Next& next) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.size();) {
    const std::size_t end = next(i);
    points[count++] = mean_of(std::span(points).subspan(i, end - i));
    i = end;
  }
  points.resize(count);
}

}  // namespace

std::vector<SeriesPoint> averaged(std::vector<SeriesPoint> points, std::size_t most) {
  const auto is_earlier = [](const SeriesPoint& a, const SeriesPoint& b) { return a.time < b.time; };
  if (!std::is_sorted(points.begin(), points.end(), is_earlier))
    std::stable_sort(points.begin(), points.end(), is_earlier);
  merge(points, [&](std::size_t i) {
    const double time = points[i].time;
    while (i < points.size() && points[i].time == time) ++i;
    return i;
  });
  const std::size_t together = (points.size() + most - 1) / most;
  if (together > 1) merge(points, [&](std::size_t i) { return std::min(i + together, points.size()); });
  points.shrink_to_fit();
  return points;
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

}  // namespace salvo::start
