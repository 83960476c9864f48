#include "pictures/sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "shooting/trajectory.hpp"

namespace salvo::pictures {
namespace {

// A trajectory up to its next event, and what follows.
class Cut {
 public:
  Cut(const shooting::Trajectory& whole, double begin) : whole_(whole) {
    for (const integrate::Jump& jump : whole.jumps) {
      if (jump.event < 0 || !(jump.time > begin)) continue;
      if (events_.empty() || events_.back()->time != jump.time) events_.push_back(&jump);
    }
  }

  std::vector<shooting::Trajectory> pieces() {
    std::size_t next = 0;
    for (const integrate::Jump* event : events_) {
      for (; next < whole_.time.size() && whole_.time[next] < event->time; ++next) add(whole_.time[next], state(next));
      if (next == whole_.time.size()) break;  // it was not followed so far
      add_at_event(next, event->time, event->before);
      end_piece();
      if (whole_.time[next] == event->time) continue;
      add_at_event(next, event->time, last_at(event->time).after);
    }
    for (; next < whole_.time.size(); ++next) add(whole_.time[next], state(next));
    end_piece();
    return std::move(pieces_);
  }

 private:
  std::vector<double> state(std::size_t k) const { return whole_.observed(static_cast<int>(k)); }
  // Delayed values lie on the line between those of the times around it.
  void add_at_event(std::size_t next, double time, std::vector<double> x) {
    const std::size_t before = next > 0 ? next - 1 : next;
    const double length = whole_.time[next] - whole_.time[before];
    const double share = length > 0 ? (time - whole_.time[before]) / length : 0;
    for (int i = 0; i < whole_.delayed.rows; ++i)
      x.push_back((1 - share) * whole_.delayed(i, static_cast<int>(before)) +
                  share * whole_.delayed(i, static_cast<int>(next)));
    add(time, x);
  }
  const integrate::Jump& last_at(double time) const {
    const integrate::Jump* last = nullptr;
    for (const integrate::Jump& jump : whole_.jumps)
      if (jump.time == time) last = &jump;
    return *last;
  }
  void add(double time, const std::vector<double>& x) {
    time_.push_back(time);
    states_.insert(states_.end(), x.begin(), x.end());
  }
  void end_piece() {
    if (time_.empty()) return;
    const int d = whole_.states.rows;
    const int count = static_cast<int>(time_.size());
    shooting::Trajectory piece{.time = std::exchange(time_, {}), .experiment = whole_.experiment};
    piece.states.resize(d, count);
    piece.delayed.resize(whole_.delayed.rows, count);
    const double* x = states_.data();
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < d; ++i) piece.states(i, k) = *x++;
      for (int i = 0; i < whole_.delayed.rows; ++i) piece.delayed(i, k) = *x++;
    }
    states_.clear();
    pieces_.push_back(std::move(piece));
  }

  const shooting::Trajectory& whole_;
  std::vector<const integrate::Jump*> events_;  // the first of those at each time
  std::vector<double> time_, states_;
  std::vector<shooting::Trajectory> pieces_;
};

// A smooth curve takes one step to the next time, or two halves of one.
constexpr int steps_of_a_line = 2;
constexpr int closer_looks = 4;

// More times where many steps lie between two of them, as many as steps; all the same where that would be too many.
std::vector<double> closer(const std::vector<double>& times, const std::vector<int>& steps, int most) {
  double wanted = 0;
  for (const int count : steps) wanted += count > steps_of_a_line ? count : 1;
  const double share = std::min(1.0, most / std::max(wanted, 1.0));
  std::vector<double> out;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const int parts =
        k > 0 && k < steps.size() && steps[k] > steps_of_a_line ? std::max(1, static_cast<int>(share * steps[k])) : 1;
    for (int i = 1; i < parts; ++i) out.push_back(times[k - 1] + (times[k] - times[k - 1]) * i / parts);
    out.push_back(times[k]);
  }
  return out;
}

// Of the points that were added, those are needed from which a line between others is far off, in parts of the range of
// any curve ([DouglasPeucker73]).
class Simplified {
 public:
  Simplified(const Arc& arc, const std::vector<double>& usual) : arc_(arc), is_needed_(arc.time.size(), false) {
    for (std::size_t k = 0; k < arc.time.size(); ++k)
      is_needed_[k] = std::binary_search(usual.begin(), usual.end(), arc.time[k]);
    for (const Matrix* curves : {&arc.observables, &arc.states})
      for (int i = 0; i < curves->rows; ++i) {
        double lowest = HUGE_VAL, highest = -HUGE_VAL;
        for (int k = 0; k < curves->cols; ++k) {
          lowest = std::min(lowest, (*curves)(i, k));
          highest = std::max(highest, (*curves)(i, k));
        }
        if (std::isfinite(highest - lowest) && highest > lowest) curves_.push_back({curves, i, highest - lowest});
      }
  }

  Arc without_needless() {
    if (arc_.time.size() < 3) return arc_;
    mark();
    std::vector<int> kept;
    for (std::size_t k = 0; k < is_needed_.size(); ++k)
      if (is_needed_[k]) kept.push_back(static_cast<int>(k));
    Arc out{.experiment = arc_.experiment, .interval = arc_.interval};
    for (const int k : kept) out.time.push_back(arc_.time[k]);
    out.states = columns(arc_.states, kept);
    out.observables = columns(arc_.observables, kept);
    return out;
  }

 private:
  static constexpr double seen = 1e-3;  // of the range: half a pixel

  struct Curve {
    const Matrix* of = nullptr;
    int row = 0;
    double range = 1;
  };
  void mark() {
    std::vector<std::pair<std::size_t, std::size_t>> lines;
    is_needed_.front() = is_needed_.back() = true;
    for (std::size_t k = 1, before = 0; k < is_needed_.size(); ++k)
      if (is_needed_[k]) lines.emplace_back(std::exchange(before, k), k);
    while (!lines.empty()) {
      const auto [first, last] = lines.back();
      lines.pop_back();
      const std::size_t middle = furthest(first, last);
      if (middle == 0) continue;
      is_needed_[middle] = true;
      lines.emplace_back(first, middle);
      lines.emplace_back(middle, last);
    }
  }
  // 0 if none is far off.
  std::size_t furthest(std::size_t first, std::size_t last) const {
    std::size_t found = 0;
    double largest = seen;
    const double length = arc_.time[last] - arc_.time[first];
    for (std::size_t k = first + 1; k < last; ++k) {
      const double share = length > 0 ? (arc_.time[k] - arc_.time[first]) / length : 0;
      for (const Curve& curve : curves_) {
        const auto at = [&](std::size_t n) { return (*curve.of)(curve.row, static_cast<int>(n)); };
        const double off = std::abs(at(k) - (1 - share) * at(first) - share * at(last)) / curve.range;
        if (off > largest) largest = off, found = k;
      }
    }
    return found;
  }
  static Matrix columns(const Matrix& of, const std::vector<int>& kept) {
    Matrix out(of.rows, static_cast<int>(kept.size()));
    for (int k = 0; k < out.cols; ++k)
      for (int i = 0; i < of.rows; ++i) out(i, k) = of(i, kept[k]);
    return out;
  }

  const Arc& arc_;
  std::vector<bool> is_needed_;
  std::vector<Curve> curves_{};
};

}  // namespace

std::vector<Arc> sample_interval(const shooting::ShootingProblem& shooting, const nlp::Point& q, int chain,
                                 int interval, int pieces, const PictureTimes& times, int most_points) {
  if (shooting.is_stopped()) return {};  // before a steady state is looked for, from which the experiment may begin
  const shooting::Grid& grid = shooting.grids()[chain];
  const shooting::ExperimentValues values = shooting.values_of(chain, q, false);
  if (shooting.is_stopped()) return {};  // on the way to a steady state, too
  const double begin = grid.tau[interval];
  std::vector<double> wanted = times.between(grid.experiment, begin, grid.tau[interval + 1], pieces);
  const std::vector<double> usual = wanted;
  const std::vector<double> s = shooting.node_state(chain, interval, q, values);
  const auto follow = [&] {
    return shooting::trajectory(shooting.model(), shooting.options().integrator,
                                {begin, grid.experiment, interval == 0}, s, values.p, wanted, shooting.stop());
  };
  shooting::Trajectory arc = follow();
  for (int look = 0; look < closer_looks && static_cast<int>(wanted.size()) < most_points; ++look) {
    std::vector<double> more = closer(wanted, arc.steps, most_points);
    if (more.size() == wanted.size()) break;
    wanted = std::move(more);
    arc = follow();
  }
  std::vector<Arc> arcs;
  for (shooting::Trajectory& piece : Cut(arc, begin).pieces()) {
    Matrix observables = shooting::observables_along(shooting.model(), piece, values.p);
    arcs.push_back({.experiment = grid.experiment,
                    .interval = interval,
                    .time = std::move(piece.time),
                    .states = std::move(piece.states),
                    .observables = std::move(observables)});
    if (wanted.size() > usual.size()) arcs.back() = Simplified(arcs.back(), usual).without_needless();
  }
  return arcs;
}

std::vector<Arc> sample_arcs(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  // Enough points for a smooth line over the whole experiment. Of many experiments each has fewer: all of them are
  // written down, several times over.
  constexpr int usual_points = 400;
  constexpr int fewest_points = 20;
  constexpr int points_of_all = 200'000;
  constexpr int most_looked_at = 20;  // times as many, where curves bend
  std::vector<Arc> arcs;
  const PictureTimes times(shooting.problem());
  const int experiments = static_cast<int>(shooting.grids().size());
  const int points = std::clamp(points_of_all / std::max(experiments, 1), fewest_points, usual_points);
  for (int c = 0; c < experiments; ++c) {
    const int intervals = shooting.grids()[c].intervals();
    const int pieces = std::clamp(points / std::max(intervals, 1), 2, usual_points / 2);
    for (int j = 0; j < intervals; ++j)
      for (Arc& arc : sample_interval(shooting, q, c, j, pieces, times, most_looked_at * pieces))
        arcs.push_back(std::move(arc));
  }
  return arcs;
}

}  // namespace salvo::pictures
