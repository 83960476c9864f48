#include "pictures/film.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/parallel.hpp"
#include "pictures/sample.hpp"

namespace salvo::pictures {
namespace {

constexpr double most_film_operations = 3e8;  // of right-hand sides, for all frames: about a second
constexpr double most_numbers = 1.2e6;        // that are drawn, in all frames
constexpr double wanted_frames = 8;
constexpr double fewest_points = 20;  // of a curve
constexpr double most_points = 150;

// How many points a curve over a whole experiment has: fewer where there are many curves, so that there are frames.
int points_of_a_curve(const shooting::ShootingProblem& shooting) {
  const double curves = static_cast<double>(shooting.grids().size() * shooting.model().observables.size());
  return static_cast<int>(std::clamp(most_numbers / (wanted_frames * curves), fewest_points, most_points));
}

int points_of_an_interval(const shooting::Grid& grid, int of_a_curve) {
  return std::clamp(of_a_curve / std::max(grid.intervals(), 1), 2, 100);
}

struct Price {
  double operations = 0;
  double numbers = 0;
};

// The arcs of one frame, if its trajectories are like those of the run.
Price price_of_frame(const shooting::ShootingProblem& shooting) {
  const shooting::WorkCount work = shooting.work();
  const auto& model = shooting.model();
  const double stages = static_cast<double>(work.rhs) / static_cast<double>(std::max(work.trajectories, 1L));
  const int points = points_of_a_curve(shooting);
  Price price;
  for (const shooting::Grid& grid : shooting.grids()) {
    price.operations += stages * model.rhs.instruction_count() * grid.intervals();
    price.numbers +=
        static_cast<double>(model.observables.size()) * points_of_an_interval(grid, points) * grid.intervals();
  }
  return price;
}

// The first, the last, and so many between that all of them can be paid.
std::vector<const solve::Frame*> affordable(const std::vector<solve::Frame>& frames, const Price& price) {
  const double allowed = std::min(most_film_operations / price.operations, most_numbers / price.numbers);
  if (frames.empty() || !(allowed >= 2)) return {};
  const double last = static_cast<double>(frames.size() - 1);
  const int count = static_cast<int>(std::min(allowed, last + 1));
  std::vector<const solve::Frame*> chosen;
  for (int k = 0; k < count; ++k)
    chosen.push_back(&frames[static_cast<std::size_t>(std::lround(last * k / std::max(count - 1, 1)))]);
  return chosen;
}

}  // namespace

std::vector<Arc> drawn_curves(const shooting::ShootingProblem& shooting, const nlp::Point& q, const PictureTimes& times,
                              int points_of_a_curve, int threads) {
  struct Place {
    int chain = 0;
    int interval = 0;
  };
  std::vector<Place> places;
  for (int c = 0; c < static_cast<int>(shooting.grids().size()); ++c)
    for (int j = 0; j < shooting.grids()[c].intervals(); ++j) places.push_back({c, j});
  std::vector<std::vector<Arc>> arcs(places.size());
  parallel_for(static_cast<int>(places.size()), threads, [&](int k) {
    const auto [chain, interval] = places[k];
    const int points = points_of_an_interval(shooting.grids()[chain], points_of_a_curve);
    arcs[k] = sample_interval(shooting, q, chain, interval, points, times);
  });
  std::vector<Arc> drawn;
  for (std::vector<Arc>& of_interval : arcs)
    for (Arc& arc : of_interval) {
      arc.states = {};
      drawn.push_back(std::move(arc));
    }
  return drawn;
}

std::vector<Frame> develop(const shooting::ShootingProblem& any, const estimate::Answer& answer, int threads) {
  std::map<int, std::unique_ptr<shooting::ShootingProblem>> laid;  // by grid
  const PictureTimes times(any.problem());
  std::vector<Frame> drawn;
  for (const solve::Frame* frame : affordable(answer.run.film.frames(), price_of_frame(any))) {
    auto& shooting = laid[frame->grid];
    if (!shooting) shooting = any.on(answer.grids_seen[frame->grid]);
    Frame next{.iteration = frame->iteration,
               .arcs = drawn_curves(*shooting, frame->q, times, points_of_a_curve(*shooting), threads)};
    if (shooting->is_stopped()) break;
    drawn.push_back(std::move(next));
  }
  return drawn;
}

}  // namespace salvo::pictures
