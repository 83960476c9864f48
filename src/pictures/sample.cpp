#include "pictures/sample.hpp"

#include <algorithm>
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
      add(event->time, event->before);
      end_piece();
      if (whole_.time[next] == event->time) continue;
      add(event->time, last_at(event->time).after);
    }
    for (; next < whole_.time.size(); ++next) add(whole_.time[next], state(next));
    end_piece();
    return std::move(pieces_);
  }

 private:
  std::vector<double> state(std::size_t k) const {
    const double* column = whole_.states.data.data() + k * static_cast<std::size_t>(whole_.states.rows);
    return {column, column + whole_.states.rows};
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
    Matrix states(whole_.states.rows, static_cast<int>(time_.size()));
    states.data = std::exchange(states_, {});
    pieces_.push_back({.time = std::exchange(time_, {}), .states = std::move(states), .experiment = whole_.experiment});
  }

  const shooting::Trajectory& whole_;
  std::vector<const integrate::Jump*> events_;  // the first of those at each time
  std::vector<double> time_, states_;
  std::vector<shooting::Trajectory> pieces_;
};

}  // namespace

std::vector<Arc> sample_interval(const shooting::ShootingProblem& shooting, const nlp::Point& q, int chain,
                                 int interval, int pieces, const PictureTimes& times) {
  const shooting::Grid& grid = shooting.grids()[chain];
  const shooting::ExperimentValues values = shooting.values_of(chain, q, false);
  const double begin = grid.tau[interval];
  const std::vector<double> wanted = times.between(grid.experiment, begin, grid.tau[interval + 1], pieces);
  const std::vector<double> s = shooting.node_state(chain, interval, q);
  const shooting::Trajectory arc =
      shooting::trajectory(shooting.model(), shooting.options().integrator, {begin, grid.experiment, interval == 0}, s,
                           values.p, wanted, shooting.stop());
  std::vector<Arc> arcs;
  for (shooting::Trajectory& piece : Cut(arc, begin).pieces()) {
    Matrix observables = shooting::observables_along(shooting.model(), piece, values.p);
    arcs.push_back({.experiment = grid.experiment,
                    .interval = interval,
                    .time = std::move(piece.time),
                    .states = std::move(piece.states),
                    .observables = std::move(observables)});
  }
  return arcs;
}

std::vector<Arc> sample_arcs(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  // Enough points for a smooth line over the whole experiment. Of many experiments each has fewer: all of them are
  // written down, several times over.
  constexpr int usual_points = 400;
  constexpr int fewest_points = 20;
  constexpr int points_of_all = 200'000;
  std::vector<Arc> arcs;
  const PictureTimes times(shooting.problem());
  const int experiments = static_cast<int>(shooting.grids().size());
  const int points = std::clamp(points_of_all / std::max(experiments, 1), fewest_points, usual_points);
  for (int c = 0; c < experiments; ++c) {
    const int intervals = shooting.grids()[c].intervals();
    const int pieces = std::clamp(points / std::max(intervals, 1), 2, usual_points / 2);
    for (int j = 0; j < intervals; ++j)
      for (Arc& arc : sample_interval(shooting, q, c, j, pieces, times)) arcs.push_back(std::move(arc));
  }
  return arcs;
}

}  // namespace salvo::pictures
