#include "statistics/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "statistics/path_prediction.hpp"

namespace salvo::statistics {
namespace {

// Walks outwards in z = sqrt(2 (PL(c) - PL_min)), which is a straight line where the objective is a square.
class Walk {
 public:
  Walk(const ProfileTask& task, const HeldSolver& solver, const ProfileRules& rules, const RunContext& context)
      : task_(task), solver_(solver), rules_(rules), context_(context) {
    points_.push_back(task.optimum);
    first_step_ = last_step_ = first_step();
  }

  // From a point that lies outwards, in another valley than the way to it.
  void begin_at(const ProfilePoint& point) { points_.push_back(point); }

  ProfilePath run(const ProfilePoint* known = nullptr) {
    if (room_at(points_.back().value) <= 0) return finish(PathEnd::bound);
    if (known != nullptr && !crosses_zero(known->value))  // there may be a pole on the way to it
      if (const std::optional<PathEnd> end = take(*known)) return finish(*end);
    for (int n = 0; n < rules_.most_points; ++n) {
      if (context_.should_stop() || context_.is_spent()) return finish(PathEnd::stopped);
      const double next = above_ ? between() : ahead();
      const auto [point, is_predicted] = solve_at(next);
      // It is above the level from a start that was nowhere near: perhaps another minimum, and too long a step.
      // Where that happens again after a shorter step, it is the place: the objective jumps there.
      const bool is_lost = point && !above_ && !is_predicted && rise(*point) > task_.level;
      const bool is_lost_again = is_lost && lost_after_ > 0 && points_.size() > lost_after_;
      if (is_lost && lost_after_ == 0) lost_after_ = points_.size();
      if (!point || (is_lost && !is_lost_again && cuts_ < rules_.most_cuts)) {
        if (context_.should_stop() || context_.is_spent()) return finish(PathEnd::stopped);
        if (meets_wall(next)) {
          if (has_vanished(points_.back().value)) return finish(PathEnd::flat);
          continue;
        }
        if (++cuts_ > rules_.most_cuts) return finish(PathEnd::failed);
        if (above_) continue;  // elsewhere between the two
        // After a step to zero a part of the value is left, which may have many powers of ten to go.
        const bool is_to_zero = task_.is_value && next == 0;
        last_step_ = (is_to_zero ? 1 - rules_.cut : rules_.cut) * std::abs(next - points_.back().value);
        continue;
      }
      if (const std::optional<PathEnd> end = take(*point)) {
        if (*end == PathEnd::level && is_passed_by()) continue;
        return finish(*end);
      }
      last_step_ *= is_predicted ? 1 : 1 / rules_.growth;
    }
    trouble_ = "its end was not found in " + std::to_string(rules_.most_points) + " points";
    return finish(PathEnd::failed);
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
    const bool is_last = point.value == points_.back().value;
    const ProfilePoint& before = is_last && points_.size() > 1 ? points_[points_.size() - 2] : points_.back();
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
    return slope > 0 ? std::min(target / slope, task_.size) : rules_.close * task_.size;
  }

  // The next point outwards: where the next stop is expected, but not much further than the step before.
  double ahead() const {
    const ProfilePoint& from = points_.back();
    double step = points_.size() == 1 ? last_step_ : rules_.growth * last_step_;
    if (cuts_ > 0) step = last_step_;
    const double z = z_of(from);
    const double z_slope = task_.direction * z_slope_at(from);
    if (points_.size() > 1 && z_slope > 0) step = std::min(step, (next_stop() - z) / z_slope);
    double next = from.value + task_.direction * step;
    const double limit = std::min(room_at(from.value), task_.farthest - distance(from.value));
    if (crosses_zero(next) && avoids_zero())
      next = rules_.cut * from.value;
    else if (crosses_zero(next) && !reciprocals().empty())
      next = -(1 - rules_.close) * from.value;  // as close to the pole as this side came
    else if (step >= limit)
      next = room_at(from.value) <= limit ? task_.bound : from.value + task_.direction * limit;
    return next;
  }
  double usual() const { return task_.usual > 0 ? task_.usual : std::numeric_limits<double>::infinity(); }
  bool crosses_zero(double next) const { return task_.is_value && points_.back().value * next < 0; }
  // Where not even the nearest place beyond zero can be reached, there is nothing there.
  bool meets_wall(double next) {
    const double from = points_.back().value;
    is_walled_ = is_walled_ || (!above_ && crosses_zero(next) && std::abs(next - from) <= 2 * std::abs(from));
    return is_walled_ && crosses_zero(next);
  }
  // What is left of a number that goes to zero.
  bool has_vanished(double value) const {
    const double size = is_walled_ ? task_.size : std::min(std::abs(task_.optimum.value), usual());
    return task_.is_value && std::abs(value) < rules_.end_tolerance * size;
  }
  // Unknowns that go as one over c here, by the last two points or the tangent: they have a pole where c is zero.
  std::vector<std::size_t> reciprocals() const {
    const ProfilePoint& from = points_.back();
    const ProfilePoint* before = points_.size() > 1 ? &points_[points_.size() - 2] : nullptr;
    constexpr double half_way = -0.5;  // between a constant and one over c
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < task_.are_values.size(); ++k) {
      if (!task_.are_values[k] || from.q[k] == 0) continue;
      double power = task_.tangent.empty() ? 0 : task_.tangent[k] * from.value / from.q[k];
      if (before != nullptr && before->value * from.value > 0 && before->q[k] * from.q[k] > 0)
        power = std::log(from.q[k] / before->q[k]) / std::log(from.value / before->value);
      if (power < half_way) out.push_back(k);
    }
    return out;
  }
  // There may be a pole at zero: it is stepped over from close by only, and where the data do not see the number, not
  // where others grow beyond all bounds on the way to it, because only a product with them is seen.
  bool avoids_zero() const {
    const ProfilePoint& from = points_.back();
    if (is_walled_ || std::abs(from.value) > rules_.near_zero * std::min(first_step_, usual())) return true;
    if (task_.error > 0) return false;
    for (std::size_t k = 0; k < task_.are_values.size(); ++k)
      if (task_.are_values[k] && std::abs(from.q[k]) > rules_.runaway * std::abs(task_.optimum.q[k])) return true;
    return false;
  }
  double next_stop() const {
    const double z = z_of(points_.back());
    for (const double part : rules_.stops)
      if (part * z_end() > z + rules_.close * z_end()) return part * z_end();
    return z_end();
  }

  // The end lies between the last point below the level and the first above it: Newton's method on the rise, by the
  // slope of the profile, within that bracket.
  double between() const {
    const ProfilePoint& below = points_.back();
    const double far_above = std::abs(rise(*above_) - task_.level);
    const ProfilePoint& near = far_above <= std::abs(rise(below) - task_.level) ? *above_ : below;
    const double low = std::min(below.value, above_->value);
    const double high = std::max(below.value, above_->value);
    const double margin = rules_.margin * (high - low);
    const double newton = near.value + (z_end() - z_of(near)) / z_slope_at(near);
    if (cuts_ > 0) {  // there was no point where it was looked for: from the middle towards the point below
      return below.value + std::pow(0.5, cuts_) * (above_->value - below.value);
    }
    if (bracketed_ >= rules_.newton_points || !std::isfinite(newton)) return 0.5 * (low + high);
    return std::clamp(newton, low + margin, high - margin);
  }

  // How exactly an end is wanted: to a part of itself and of its distance, as far as rounding lets it be told.
  double resolution_at(double value) const {
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    const double away = std::max(std::abs(distance(value)), rules_.close * std::min(first_step_, task_.size));
    const double least = rules_.margin * std::min(away, usual());
    return std::max(rules_.end_tolerance * std::clamp(std::abs(value), least, std::max(least, away)),
                    rounding * std::abs(value));
  }

  // The end is known to its tolerance: by the slope here, or because it lies between two points so close, where the
  // objective jumps or is no smoother than its rounding, or because a prediction comes no closer to it.
  bool is_end(const ProfilePoint& point) const {
    const double small = resolution_at(point.value);
    if (above_ && std::abs(above_->value - points_.back().value) <= small) return true;
    if (std::abs(rise(point) - task_.level) > rules_.tolerance) return false;
    const bool stands_still = points_.size() > 1 && std::abs(point.value - points_.back().value) <= small;
    return stands_still || std::abs(z_end() - z_of(point)) <= small * std::abs(z_slope_at(point));
  }

  // A jump is one if the point beyond it is as high when it is looked for from this side. Where it is the order of two
  // times that changes, the other one is taken along.
  bool is_passed_by() {
    const double from = points_.back().value;
    if (!above_ || std::abs(above_->value - from) > resolution_at(from)) return false;
    if (!(rise(*above_) > task_.level + rules_.tolerance)) return false;
    const std::vector<std::size_t> before = std::exchange(taken_along_, {});
    if (goes_on_at(above_->value, points_.back().q)) return true;
    taken_along_ = coincident();
    if (taken_along_ == before || taken_along_.empty()) return false;
    last_step_ = first_step_ / rules_.growth;
    return goes_on_at(above_->value, taken_along(above_->value));
  }
  bool goes_on_at(double value, const nlp::Point& start) {
    const HeldPoint again = solver_(value, start);
    if (!again.point || rise(*again.point) > task_.level) return false;
    points_.push_back(*again.point);
    above_.reset();
    bracketed_ = 0;
    return true;
  }
  // Unknowns that stand where c does.
  std::vector<std::size_t> coincident() const {
    const ProfilePoint& from = points_.back();
    const double near = std::sqrt(rules_.end_tolerance) * rules_.close * task_.size;
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < from.q.size(); ++k)
      if (from.q[k] != from.value && std::abs(from.q[k] - from.value) <= near) out.push_back(k);
    return out;
  }
  nlp::Point taken_along(double value) const {
    nlp::Point q = points_.back().q;
    for (const std::size_t k : taken_along_) q[k] += value - points_.back().value;
    return q;
  }

  std::optional<PathEnd> take(const ProfilePoint& point) {
    cuts_ = 0;
    if (rise(point) < -rules_.lower) {
      points_.push_back(point);
      return PathEnd::lower;
    }
    if (is_end(point)) {
      // Beside a jump the interval ends at the last point that belongs to it.
      const bool is_beyond = rise(point) > task_.level + rules_.tolerance;
      if (!is_beyond || points_.size() == 1) points_.push_back(is_beyond ? points_.back() : point);
      return PathEnd::level;
    }
    if (rise(point) > task_.level) {
      above_ = point;
      ++bracketed_;
      return std::nullopt;
    }
    if (above_) ++bracketed_;
    last_step_ = std::abs(point.value - points_.back().value);
    points_.push_back(point);
    if (above_) return std::nullopt;
    if (room_at(point.value) <= 0) return PathEnd::bound;
    const bool is_far = distance(point.value) >= (1 - rules_.end_tolerance) * task_.farthest;
    if (is_far || (has_vanished(point.value) && avoids_zero())) return PathEnd::flat;
    return std::nullopt;
  }

  // Where the others are expected: along the tangent at the optimum, then as the points so far say.
  nlp::Point predicted(double value) const {
    if (points_.size() == 1) return along_tangent(task_, value);
    return extrapolated(task_, nodes_around(value), value);
  }
  // On the other side of zero those that have a pole there have the other sign.
  std::vector<nlp::Point> starts_at(double value) const {
    std::vector<nlp::Point> starts{predicted(value), points_.back().q};
    if (!taken_along_.empty()) starts.insert(starts.begin(), taken_along(value));
    if (!crosses_zero(value)) return starts;
    nlp::Point beyond = points_.back().q;
    const std::vector<std::size_t> poles = reciprocals();
    for (const std::size_t k : poles) beyond[k] *= points_.back().value / value;
    if (!poles.empty()) starts.insert(starts.begin(), std::move(beyond));
    return starts;
  }

  // At most four, the nearest first; of points that lie close together against the way to `value` only one, because
  // their differences are rounding.
  std::vector<const ProfilePoint*> nodes_around(double value) const {
    std::vector<const ProfilePoint*> nodes;
    const auto is_close = [&](const ProfilePoint& point) {
      return std::any_of(nodes.begin(), nodes.end(), [&](const ProfilePoint* node) {
        return !(std::abs(node->value - point.value) > rules_.close * std::abs(point.value - value));
      });
    };
    // What has a pole at zero says nothing about its other side.
    const bool one_side = task_.is_value && points_.back().value * value > 0 && points_.size() > 2;
    for (auto point = points_.rbegin(); point != points_.rend() && nodes.size() < 4; ++point)
      if (!is_close(*point) && !(one_side && point->value * value <= 0)) nodes.push_back(&*point);
    return nodes;
  }

  // From the expected place; failing that, or where this leads above the level from a place that was no good, from the
  // neighbour itself. The lower of the two.
  struct Trial {
    std::optional<ProfilePoint> point{};
    bool is_predicted = false;  // its start was hardly worse than the neighbour
  };
  Trial solve_at(double value) {
    Trial trial;
    for (const nlp::Point& start : starts_at(value)) {
      HeldPoint solved = solver_(value, start);
      trouble_ = solved.trouble;
      if (solved.point && (!trial.point || solved.point->objective < trial.point->objective))
        trial.point = solved.point;
      trial.is_predicted = trial.is_predicted || solved.start_objective - points_.back().objective <= task_.level;
      const bool is_good = solved.point && (trial.is_predicted || rise(*solved.point) <= task_.level);
      if (is_good || context_.should_stop()) break;
    }
    return trial;
  }

  ProfilePath finish(PathEnd end) {
    ProfilePath path{.end = end};
    path.points.assign(points_.begin() + 1, points_.end());
    if (end == PathEnd::failed) path.trouble = trouble_;
    return path;
  }

  const ProfileTask& task_;
  const HeldSolver& solver_;
  const ProfileRules& rules_;
  const RunContext& context_;
  double first_step_ = 0;
  double last_step_ = 0;
  bool is_walled_ = false;                  // nothing was found beyond zero
  std::vector<std::size_t> taken_along_{};  // unknowns that move as c does, beside a jump
  std::size_t lost_after_ = 0;              // so many points a step first led nowhere
  int cuts_ = 0;
  int bracketed_ = 0;                    // points since the end is between two
  std::vector<ProfilePoint> points_{};   // the optimum, then outwards, all below the level
  std::optional<ProfilePoint> above_{};  // the nearest above it
  std::string trouble_{};
};

}  // namespace

ProfilePath follow_profile(const ProfileTask& task, const HeldSolver& solver, const ProfileRules& rules,
                           const RunContext& context, const ProfilePoint* known) {
  return Walk(task, solver, rules, context).run(known);
}

std::vector<nlp::Point> valleys_along(const ProfilePath& path, const ProfileTask& task, const ProfileRules& rules) {
  const double fall = rules.dip * task.level;
  std::vector<nlp::Point> valleys;
  double highest = task.optimum.objective;
  const ProfilePoint* lowest = nullptr;  // since the objective fell
  const auto leave_valley = [&] {
    if (lowest != nullptr) valleys.push_back(lowest->q);
    lowest = nullptr;
  };
  for (const ProfilePoint& point : path.points) {
    if (lowest != nullptr && point.objective > lowest->objective + fall) {
      leave_valley();
      highest = point.objective;
    }
    if (point.objective < (lowest != nullptr ? lowest->objective : highest - fall)) lowest = &point;
    highest = std::max(highest, point.objective);
  }
  leave_valley();
  return valleys;
}

namespace {

// Inwards from a lower end: where its valley is the lower one as well, the path belongs there.
bool go_back_in_valley(ProfilePath& path, nlp::Point from, const ProfileTask& task, const HeldSolver& solver,
                       const ProfileRules& rules) {
  for (auto point = path.points.rbegin(); point != path.points.rend(); ++point) {
    HeldPoint back = solver(point->value, from);
    if (!back.point || !(back.point->objective < point->objective - rules.tolerance)) break;
    *point = std::move(*back.point);
    from = point->q;
    if (point->objective < task.optimum.objective - rules.lower) {
      path.points.erase(point.base(), path.points.end());
      path.end = PathEnd::lower;
      return false;
    }
  }
  return true;
}

}  // namespace

ProfilePath go_on_in_valleys(ProfilePath path, const std::vector<nlp::Point>& valleys, const ProfileTask& task,
                             const HeldSolver& solver, const ProfileRules& rules, const RunContext& context) {
  for (const nlp::Point& valley : valleys) {
    if (path.end != PathEnd::level || context.should_stop() || context.is_spent()) break;
    const HeldPoint there = solver(path.points.back().value, valley);
    if (!there.point || !(there.point->objective < path.points.back().objective - rules.tolerance)) continue;
    const double rise = there.point->objective - task.optimum.objective;
    path.points.pop_back();
    if (rise < -rules.lower) {
      path.points.push_back(*there.point);
      path.end = PathEnd::lower;
      break;
    }
    if (!go_back_in_valley(path, there.point->q, task, solver, rules)) break;
    Walk walk(task, solver, rules, context);
    walk.begin_at(*there.point);
    ProfilePath further = walk.run();
    path.points.insert(path.points.end(), further.points.begin(), further.points.end());
    path.end = further.end;
    path.trouble = further.trouble;
  }
  return path;
}

}  // namespace salvo::statistics
