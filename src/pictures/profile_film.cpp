#include "pictures/profile_film.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/parallel.hpp"
#include "pictures/film.hpp"

namespace salvo::pictures {
namespace {

constexpr double most_profile_numbers = 6e5;  // that are drawn, in all profiles
constexpr double most_frames = 15;            // of one profile
constexpr double fewest_frames = 3;
constexpr double fewest_profile_points = 20;  // of a curve
constexpr double most_profile_points = 100;

// Ends, the best one, and so many between.
std::set<int> chosen(const Profile& profile, int frames) {
  const int last = static_cast<int>(profile.points.size()) - 1;
  std::set<int> indices;
  for (int k = 0; k < frames; ++k)
    indices.insert(static_cast<int>(std::lround(static_cast<double>(last) * k / std::max(frames - 1, 1))));
  const auto best = std::min_element(profile.points.begin(), profile.points.end(),
                                     [](const auto& a, const auto& b) { return a.objective < b.objective; });
  indices.insert(static_cast<int>(best - profile.points.begin()));
  return indices;
}

}  // namespace

void add_trajectories(const shooting::ShootingProblem& shooting,
                      const std::vector<std::vector<const nlp::Point*>>& points, int threads, Profiles& profiles) {
  const double curves = static_cast<double>(shooting.grids().size() * shooting.model().observables.size());
  const double each = most_profile_numbers / (curves * static_cast<double>(std::max<std::size_t>(points.size(), 1)));
  const double frames = std::min(most_frames, std::floor(each / fewest_profile_points));
  if (!(frames >= fewest_frames)) return;
  const int of_a_curve = static_cast<int>(std::clamp(each / frames, fewest_profile_points, most_profile_points));
  const PictureTimes times(shooting.problem());
  parallel_for(static_cast<int>(points.size()), threads, [&](int k) {
    Profile& profile = profiles.profiles[k];
    for (const int i : chosen(profile, static_cast<int>(frames)))
      profile.points[i].arcs = drawn_curves(shooting, *points[k][i], times, of_a_curve, 1);
  });
}

}  // namespace salvo::pictures
