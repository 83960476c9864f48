#include "integrate/crossing_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace salvo::integrate {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_tries = 100;
constexpr double shortest = 8 * epsilon;  // step, by the time it begins at
constexpr double at_once = 1e-12;         // time to a zero, by that at which the step ends: it is there
constexpr double flat = 1e-7;             // speed at a zero, by that at the begin of the step: it is only touched

// Where the cubic with these values and slopes at 0 and 1 has its lowest point inside, if it is below zero there; else
// 0.
double lowest_below_zero(double a0, double a1, double v0, double v1) {
  const double square = 3 * (a1 - a0) - 2 * v0 - v1;
  const double cube = 2 * (a0 - a1) + v0 + v1;
  const double discriminant = square * square - 3 * cube * v0;
  if (!(discriminant > 0)) return 0;
  // The extremum with positive curvature 2 square + 6 cube theta = 2 sqrt(discriminant).
  const double root = std::sqrt(discriminant);
  const double theta = square >= 0 ? -v0 / (square + root) : (root - square) / (3 * cube);
  if (!(theta > 0 && theta < 1)) return 0;
  const double value = a0 + theta * (v0 + theta * (square + theta * cube));
  const double size = std::abs(a0) + std::abs(a1) + std::abs(v0) + std::abs(v1);
  return value < -1e-13 * size ? theta : 0;
}

}  // namespace

void CrossingSearch::resize(int functions) {
  side_.assign(functions, 1);
  rounding_.assign(functions, 0.0);
  z_.assign(functions, 0.0);
  speed_.assign(functions, 0.0);
}

void CrossingSearch::stand_at(const Reading& reading) {
  z_.assign(reading.z.begin(), reading.z.end());
  speed_.assign(reading.speed.begin(), reading.speed.end());
  for (std::size_t i = 0; i < z_.size(); ++i)
    if (side_[i] * z_[i] > 100 * rounding_[i]) rounding_[i] = 0;
}

CrossingSearch::Verdict CrossingSearch::judge(double t, double h, const Reading& end) {
  if (is_searching_) return refine(t, h, end);
  for (std::size_t i = 0; i < side_.size(); ++i) {
    if (!has_crossed(static_cast<int>(i), end.z[i])) continue;
    begin_search(h, end);
    return refine(t, h, end);
  }
  if (is_about_to_cross(t, h, end)) {
    is_probing_ = false;
    return Verdict::crossing;
  }
  if (std::exchange(is_probing_, false)) return Verdict::stands;
  const double inside = dip(h, end);
  if (inside == 0) return Verdict::stands;
  is_probing_ = true;
  trial_ = inside;
  return Verdict::again;
}

// A zero that lies behind the end of the step by rounding alone is at its end: what is measured there sees what it
// does.
bool CrossingSearch::is_about_to_cross(double t, double h, const Reading& end) {
  double soonest = at_once * std::max(std::abs(t + h), h);
  bool is_found = false;
  for (int i = 0; i < static_cast<int>(side_.size()); ++i) {
    const double z = side_[i] * end.z[i];
    const double speed = side_[i] * end.speed[i];
    const bool moves = -speed > flat * std::abs(speed_[i]);
    if (rounding_[i] > 0 || !moves || !(z >= 0 && z <= -speed * soonest)) continue;
    soonest = z / -speed;
    function_ = i;
    is_found = true;
  }
  if (is_found) is_grazing_ = false;
  return is_found;
}

// Two crossings within one step leave no sign at its end: the interpolant tells where to look, the step itself whether
// there is something.
double CrossingSearch::dip(double h, const Reading& end) const {
  double first = 0;
  for (std::size_t i = 0; i < side_.size(); ++i) {
    const double side = side_[i];
    const double theta = lowest_below_zero(side * z_[i] + rounding_[i], side * end.z[i] + rounding_[i],
                                           side * speed_[i] * h, side * end.speed[i] * h);
    if (theta > 0 && (first == 0 || theta * h < first)) first = theta * h;
  }
  return first;
}

void CrossingSearch::begin_search(double h, const Reading& end) {
  is_searching_ = true;
  is_probing_ = false;
  low_ = 0;
  high_ = h;
  z_low_ = z_;
  z_high_.assign(end.z.begin(), end.z.end());
  tries_ = 0;
  last_change_ = h;
  // What has crossed by more than rounding is looked for at zero itself.
  for (std::size_t i = 0; i < side_.size(); ++i)
    if (has_crossed(static_cast<int>(i), end.z[i])) rounding_[i] = 0;
}

// This is the one whose zero seems to come first, of those that have crossed at the upper end.
void CrossingSearch::choose_function() {
  double earliest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(side_.size()); ++i) {
    if (!has_crossed(i, z_high_[i])) continue;
    const double from = std::max(side_[i] * z_low_[i], 0.0);
    const double share = from / (from - side_[i] * z_high_[i]);
    if (share < earliest) earliest = share, function_ = i;
  }
  trial_ = low_ + earliest * (high_ - low_);
}

// Newton's step where it stays within the bracket, else the secant, else half of it.
CrossingSearch::Verdict CrossingSearch::refine(double t, double h, const Reading& end) {
  bool crossed = false;
  for (int i = 0; i < static_cast<int>(side_.size()); ++i) crossed |= has_crossed(i, end.z[i]);
  (crossed ? high_ : low_) = h;
  (crossed ? z_high_ : z_low_).assign(end.z.begin(), end.z.end());
  choose_function();
  const double speed = end.speed[function_];
  const double change = -end.z[function_] / speed;
  const double width = high_ - low_;
  const bool is_settled = std::abs(change) <= 2 * epsilon * h ||
                          (std::abs(change) <= 1e-9 * h && std::abs(change) >= 0.5 * last_change_) ||
                          (crossed && width <= 2 * epsilon * h);
  if (is_settled || ++tries_ > most_tries) {
    is_searching_ = false;
    is_grazing_ = !(std::abs(speed) > flat * std::abs(speed_[function_]));
    return Verdict::crossing;
  }
  const double newton = h + change;
  if (newton > low_ && newton < high_ && std::abs(change) < 0.7 * last_change_)
    trial_ = newton;
  else if (tries_ % 3 == 0 || !(trial_ > low_ && trial_ < high_))
    trial_ = low_ + 0.5 * width;
  if (!(trial_ > low_)) trial_ = high_;
  last_change_ = std::abs(change);
  const double least = shortest * std::max(std::abs(t), std::numeric_limits<double>::min());
  if (trial_ < least) {
    if (h <= least) {  // no shorter step exists
      is_searching_ = false;
      is_grazing_ = false;
      return Verdict::crossing;
    }
    trial_ = least;
  }
  return Verdict::again;
}

}  // namespace salvo::integrate
