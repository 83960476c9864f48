#include "statistics/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo::statistics {
namespace {

// Walks outwards in z = sqrt(2 (PL(c) - PL_min)), which is a straight line where the objective is a square.
class Walk {
 public:
  Walk(const ProfileTask& task, const HeldSolver& solver, const ProfileRules& rules, const RunContext& context)
      : task_(task), solver_(solver), rules_(rules), context_(context) {
    trail_.push_back(task.optimum);
    last_step_ = first_step();
  }

  ProfilePath run() {
    if (room_at(task_.optimum.value) <= 0) return finish(PathEnd::bound);
    for (int n = 0; n < rules_.most_points; ++n) {
      if (context_.should_stop()) return finish(PathEnd::stopped);
      const double next = above_ ? between() : ahead();
      const std::optional<ProfilePoint> point = solve_at(next);
      if (!point) {
        if (context_.should_stop()) return finish(PathEnd::stopped);
        if (above_ || ++cuts_ > rules_.most_cuts) return finish(PathEnd::failed);
        last_step_ = cut_ * std::abs(next - trail_.back().value);
        continue;
      }
      if (const std::optional<PathEnd> end = take(*point)) return finish(*end);
    }
    return finish(above_ ? PathEnd::failed : PathEnd::flat);
  }

 private:
  double rise(const ProfilePoint& point) const { return point.objective - task_.optimum.objective; }
  double z_of(const ProfilePoint& point) const { return std::sqrt(2 * std::max(rise(point), 0.0)); }
  double z_end() const { return std::sqrt(2 * task_.level); }
  double room_at(double value) const { return task_.direction * (task_.bound - value); }
  double distance(double value) const { return task_.direction * (value - task_.optimum.value); }

  // dz/dc; where the profile's slope is not known, that of the chord to the point before.
  double z_slope_at(const ProfilePoint& point) const {
    const double z = z_of(point);
    if (!(z > 0)) return 0;
    if (std::isfinite(point.slope)) return point.slope / z;
    const bool is_last = point.value == trail_.back().value;
    const ProfilePoint& before = is_last && trail_.size() > 1 ? trail_[trail_.size() - 2] : trail_.back();
    return (z - z_of(before)) / (point.value - before.value);
  }

  // Where a square with this slope and error reaches the first stop.
  double first_step() const {
    const double target = 0.5 * std::pow(rules_.stops.front() * z_end(), 2);
    const double slope = std::max(task_.direction * task_.optimum.slope, 0.0);
    const double curvature = task_.error > 0 ? 1 / (task_.error * task_.error) : 0;
    if (curvature > 0) {
      const double step = (-slope + std::sqrt(slope * slope + 2 * curvature * target)) / curvature;
      if (std::isfinite(step) && step > 0) return step;
    }
    constexpr double of_size = 0.1;
    return slope > 0 ? std::min(target / slope, task_.size) : of_size * task_.size;
  }

  // The next point outwards: where the next stop is expected, but not much further than the step before.
  double ahead() const {
    const ProfilePoint& from = trail_.back();
    double step = trail_.size() == 1 ? last_step_ : rules_.growth * last_step_;
    if (cuts_ > 0) step = last_step_;
    const double z = z_of(from);
    const double z_slope = task_.direction * z_slope_at(from);
    if (trail_.size() > 1 && z_slope > 0) step = std::min(step, (next_stop() - z) / z_slope);
    double next = from.value + task_.direction * step;
    const double limit = std::min(room_at(from.value), task_.farthest - distance(from.value));
    if (step >= limit) next = room_at(from.value) <= limit ? task_.bound : from.value + task_.direction * limit;
    return next;
  }
  double next_stop() const {
    const double z = z_of(trail_.back());
    for (const double part : rules_.stops)
      if (part * z_end() > z + 0.1 * z_end()) return part * z_end();
    return z_end();
  }

  // The end lies between the last point below the level and the first above it: Newton's method on the rise, by the
  // slope of the profile, within that bracket.
  double between() const {
    const ProfilePoint& below = trail_.back();
    const double far_above = std::abs(rise(*above_) - task_.level);
    const ProfilePoint& near = far_above <= std::abs(rise(below) - task_.level) ? *above_ : below;
    const double low = std::min(below.value, above_->value);
    const double high = std::max(below.value, above_->value);
    const double margin = 1e-3 * (high - low);
    const double newton = near.value + (z_end() - z_of(near)) / z_slope_at(near);
    const bool halve = (squeezed_ >= 4 && squeezed_ % 2 == 0) ||
                       !std::isfinite(newton);  // ends that hardly move are not found by slopes
    if (halve) return 0.5 * (low + high);
    return std::clamp(newton, low + margin, high - margin);
  }

  // To how much an end is wanted: a part of itself and of its distance, as far as rounding lets it be told.
  double resolution_at(double value) const {
    constexpr double near_zero = 1e-3;
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    const double away = std::abs(distance(value));
    return std::max(rules_.end_tolerance * std::clamp(std::abs(value), near_zero * away, away),
                    rounding * std::abs(value));
  }

  // The end is known to its tolerance: by the slope here, or because it lies between two points so close, where the
  // objective jumps or is no smoother than its rounding.
  bool is_end(const ProfilePoint& point) const {
    const double small = resolution_at(point.value);
    if (above_ && std::abs(above_->value - trail_.back().value) <= small) return true;
    return std::abs(rise(point) - task_.level) <= rules_.tolerance &&
           std::abs(z_end() - z_of(point)) <= small * std::abs(z_slope_at(point));
  }

  std::optional<PathEnd> take(const ProfilePoint& point) {
    cuts_ = 0;
    if (rise(point) < -rules_.lower) {
      trail_.push_back(point);
      return PathEnd::lower;
    }
    if (is_end(point)) {
      trail_.push_back(point);
      return PathEnd::level;
    }
    if (rise(point) > task_.level) {
      above_ = point;
      ++squeezed_;
      return std::nullopt;
    }
    if (above_) ++squeezed_;
    last_step_ = std::abs(point.value - trail_.back().value);
    trail_.push_back(point);
    if (above_) return std::nullopt;
    if (room_at(point.value) <= 0) return PathEnd::bound;
    if (distance(point.value) >= task_.farthest) return PathEnd::flat;
    return std::nullopt;
  }

  // Where the others are expected: on the tangent at the optimum, then on the parabola through the nearest points.
  nlp::Point predicted(double value) const {
    nlp::Point q = trail_.back().q;
    if (trail_.size() == 1 && !above_) {
      for (std::size_t k = 0; k < task_.tangent.size(); ++k) q[k] += task_.tangent[k] * (value - trail_.back().value);
      return q;
    }
    const std::vector<const ProfilePoint*> nodes = nodes_around(value);
    std::fill(q.begin(), q.end(), 0.0);
    for (const ProfilePoint* a : nodes) {
      double weight = 1;
      for (const ProfilePoint* b : nodes)
        if (a != b) weight *= (value - b->value) / (a->value - b->value);
      for (std::size_t k = 0; k < q.size(); ++k) q[k] += weight * a->q[k];
    }
    return q;
  }

  // At most three, the nearest first; of points that lie close together against the way to `value` only one, because
  // their differences are rounding.
  std::vector<const ProfilePoint*> nodes_around(double value) const {
    std::vector<const ProfilePoint*> near;
    for (const ProfilePoint& point : trail_) near.push_back(&point);
    if (above_) near.push_back(&*above_);
    const auto away = [&](const ProfilePoint* point) { return std::abs(point->value - value); };
    std::stable_sort(near.begin(), near.end(), [&](const auto* a, const auto* b) { return away(a) < away(b); });
    std::vector<const ProfilePoint*> nodes;
    for (const ProfilePoint* point : near) {
      const auto is_close = [&](const auto* node) {
        return !(std::abs(node->value - point->value) > 0.1 * away(point));
      };
      if (nodes.size() < 3 && std::none_of(nodes.begin(), nodes.end(), is_close)) nodes.push_back(point);
    }
    return nodes;
  }

  // From the expected place, and failing that from the neighbour itself.
  std::optional<ProfilePoint> solve_at(double value) {
    for (const nlp::Point& start : {predicted(value), trail_.back().q}) {
      HeldPoint held = solver_(value, start);
      if (held.point) return held.point;
      trouble_ = held.trouble;
      if (context_.should_stop()) break;
    }
    return std::nullopt;
  }

  ProfilePath finish(PathEnd end) {
    ProfilePath path{.end = end};
    path.points.assign(trail_.begin() + 1, trail_.end());
    if (end == PathEnd::failed) path.trouble = trouble_;
    return path;
  }

  const ProfileTask& task_;
  const HeldSolver& solver_;
  const ProfileRules& rules_;
  const RunContext& context_;
  static constexpr double cut_ = 0.5;
  double last_step_ = 0;
  int cuts_ = 0;
  int squeezed_ = 0;                     // points since the end is between two
  std::vector<ProfilePoint> trail_{};    // the optimum, then outwards, all below the level
  std::optional<ProfilePoint> above_{};  // the nearest above it
  std::string trouble_{};
};

}  // namespace

ProfilePath follow_profile(const ProfileTask& task, const HeldSolver& solver, const ProfileRules& rules,
                           const RunContext& context) {
  return Walk(task, solver, rules, context).run();
}

}  // namespace salvo::statistics
