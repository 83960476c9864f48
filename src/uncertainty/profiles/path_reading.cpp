#include "uncertainty/profiles/path_reading.hpp"

#include <algorithm>
#include <cmath>

#include "words/profile_words.hpp"

namespace salvo::uncertainty {
namespace {

using statistics::PathEnd;
using statistics::ProfilePath;
using statistics::ProfilePoint;

constexpr double hardly = 1e-2;  // rise, as a part of the level, that counts as none

bool is_followed(const ProfilePath& path) {
  return path.end != PathEnd::failed && path.end != PathEnd::stopped && path.end != PathEnd::lower;
}
bool has_valleys(const ProfilePath& path, const Subject& subject) {
  return !statistics::valleys_along(path, subject.task).empty();
}

Profile::Point user_point(const ProfileOrigin& from, const Subject& subject, const ProfilePoint& point) {
  Profile::Point out{.value = model::from_scale(subject.scale, point.value), .objective = point.objective};
  for (const estimate::Quantity& quantity : from.all)
    out.others.push_back(model::from_scale(quantity.estimated->scale, point.q[quantity.unknown]));
  return out;
}

// The other quantity that has met a bound at the end of a path; empty: there is none.
std::string limiting_quantity(const ProfileOrigin& from, const Subject& subject, const ProfilePath& path) {
  const nlp::Layout& layout = from.fits.shooting().layout();
  const std::vector<double> sizes = from.fits.shooting().sizes(from.optimum());
  constexpr double rounding = 1e-9;
  const auto is_at_bound = [&](const nlp::Point& q, int k) {
    return std::min(q[k] - layout.lower[k], layout.upper[k] - q[k]) <= rounding * sizes[k];
  };
  const auto limiting = std::find_if(from.all.begin(), from.all.end(), [&](const estimate::Quantity& other) {
    return other.unknown != subject.unknown && is_at_bound(path.points.back().q, other.unknown) &&
           !is_at_bound(from.optimum(), other.unknown);
  });
  return limiting == from.all.end() ? "" : limiting->id;
}
// Does the data's misfit end this side, and not only a bound of another quantity?
bool ends_by_data(const ProfileOrigin& from, const Subject& subject, const ProfilePath& path) {
  return path.end == PathEnd::level && limiting_quantity(from, subject, path).empty();
}

}  // namespace

Profile described(const ProfileOrigin& from, const Subject& subject, const ProfilePath& down, const ProfilePath& up) {
  Profile out{.id = subject.id,
              .is_prediction = subject.prediction != nullptr && subject.derived < 0,
              .estimate = model::from_scale(subject.scale, subject.task.optimum.value),
              .rise = subject.task.level};
  for (auto point = down.points.rbegin(); point != down.points.rend(); ++point)
    out.points.push_back(user_point(from, subject, *point));
  out.points.push_back(user_point(from, subject, subject.task.optimum));
  for (const ProfilePoint& point : up.points) out.points.push_back(user_point(from, subject, point));
  if (down.end == PathEnd::level) out.lower = out.points.front().value;
  if (up.end == PathEnd::level) out.upper = out.points.back().value;

  double highest = 0;
  for (const ProfilePath* path : {&down, &up})
    for (const ProfilePoint& point : path->points)
      highest = std::max(highest, point.objective - subject.task.optimum.objective);
  out.is_followed = is_followed(down) && is_followed(up);
  std::vector<std::string> ids;
  for (const estimate::Quantity& quantity : from.all) ids.push_back(quantity.id);
  words::add_words({.down = down.end,
                    .up = up.end,
                    .trouble_down = down.trouble,
                    .trouble_up = up.trouble,
                    .is_level = highest <= hardly * subject.task.level && out.is_followed,
                    .ends_by_data = ends_by_data(from, subject, down) || ends_by_data(from, subject, up),
                    .dips = has_valleys(down, subject) || has_valleys(up, subject),
                    .is_unseen = subject.is_unseen,
                    .with = subject.with},
                   from.options.level, ids, out);
  return out;
}

// Counts are whole numbers.
void add_new_observation(const Subject& subject, const ProfilePath& down, const ProfilePath& up, Profile& profile) {
  const auto limit = [&](double value) {
    const double own = model::from_scale(subject.scale, value);
    return subject.observation->is_count() ? std::max(0.0, std::ceil(own)) : own;
  };
  NewObservationInterval interval{.is_followed = is_followed(down) && is_followed(up)};
  if (down.end == PathEnd::level) interval.lower = limit(down.points.back().value);
  if (up.end == PathEnd::level) interval.upper = limit(up.points.back().value);
  if (subject.observation->is_count() && down.end == PathEnd::bound) interval.lower = 0;
  profile.new_observation = interval;
  profile.sentence += words::new_observation_sentence(profile);
}

IntervalEnd end_of(const ProfileOrigin& from, const Subject& subject, const ProfilePath& path, bool is_walds) {
  if (is_walds) return {IntervalEnd::Kind::wald, path.points.back().value};
  if (path.end == PathEnd::level)
    return {IntervalEnd::Kind::likelihood, path.points.back().value, limiting_quantity(from, subject, path)};
  // A path that cannot even begin stands at the edge of what can be computed, and has no end on that side.
  const bool is_at_edge = path.end == PathEnd::failed && path.points.empty();
  const bool has_none = path.end == PathEnd::bound || path.end == PathEnd::flat || is_at_edge;
  return {.kind = has_none ? IntervalEnd::Kind::none : IntervalEnd::Kind::unknown,
          .is_too_near = subject.error_is_too_small};
}

}  // namespace salvo::uncertainty
