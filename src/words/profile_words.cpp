#include "words/profile_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "words/combination.hpp"

namespace salvo::words {

namespace {

using statistics::PathEnd;

// Why there is no limit on a side: "no upper limit".
std::string missing_limit(PathEnd end, std::string_view side, double reached, const std::string& trouble) {
  switch (end) {
    case PathEnd::bound: return fmt::format("no {} limit within its bounds", side);
    case PathEnd::failed:
      return fmt::format("no {} limit up to {:.4g}, where it could not be followed{}", side, reached,
                         trouble.empty() ? "" : " (" + trouble + ")");
    case PathEnd::stopped: return fmt::format("the {} limit was not looked for to the end", side);
    case PathEnd::lower: return fmt::format("towards its {} limit a better fit was found", side);
    case PathEnd::level:
    case PathEnd::flat: break;
  }
  return fmt::format("no {} limit", side);
}

// The combinations of what is not identifiable, each once.
std::string of_what_is_seen(const std::vector<Profile>& profiles) {
  std::vector<std::string> combinations;
  for (const Profile& profile : profiles)
    for (const std::string& text : profile.combinations) {
      const std::string name = text.substr(0, text.find(" = "));
      const bool is_new = std::find(combinations.begin(), combinations.end(), name) == combinations.end();
      if (profile.verdict == Verdict::flat && is_new) combinations.push_back(name);
    }
  if (combinations.empty()) return "";
  return fmt::format(", but {} {}", listed(combinations), combinations.size() == 1 ? "is" : "are");
}

// With four digits, or as many as tell the ends of an interval apart.
std::string limit_text(double limit, double estimate) {
  const double width = std::abs(limit - estimate);
  const double size = std::max(std::abs(limit), std::abs(estimate));
  const int digits = width > 0 ? static_cast<int>(std::ceil(std::log10(size / width))) + 2 : 4;
  return fmt::format("{:.{}g}", limit, std::clamp(digits, 4, 15));
}

std::string interval_sentence(const ProfileSides& sides, double level, const Profile& profile) {
  const double least = profile.points.empty() ? profile.estimate : profile.points.front().value;
  const double most = profile.points.empty() ? profile.estimate : profile.points.back().value;
  const std::string no_lower = profile.lower ? "" : missing_limit(sides.down, "lower", least, sides.trouble_down);
  const std::string no_upper = profile.upper ? "" : missing_limit(sides.up, "upper", most, sides.trouble_up);
  if (profile.lower && profile.upper)
    return fmt::format("{} lies between {} and {} ({:g} %).", profile.id, limit_text(*profile.lower, profile.estimate),
                       limit_text(*profile.upper, profile.estimate), 100 * level);
  if (profile.lower)
    return fmt::format("{} is at least {}; {}.", profile.id, limit_text(*profile.lower, profile.estimate), no_upper);
  if (profile.upper)
    return fmt::format("{} is at most {}; {}.", profile.id, limit_text(*profile.upper, profile.estimate), no_lower);
  return fmt::format("{} has {} and {}.", profile.id, no_lower, no_upper);
}

// Where the fit is as good as at its best.
std::vector<Profile::Point> level_stretch(const Profile& profile) {
  constexpr double hardly = 1e-2;  // of the rise at the ends
  double least = profile.points[0].objective;
  for (const Profile::Point& point : profile.points) least = std::min(least, point.objective);
  std::vector<Profile::Point> stretch;
  for (const Profile::Point& point : profile.points)
    if (point.objective <= least + hardly * profile.rise) stretch.push_back(point);
  return stretch;
}
// Where a side without an end has become level.
std::vector<Profile::Point> outer_stretch(const Profile& profile) {
  constexpr std::size_t few = 3;
  const auto n = static_cast<long>(std::min(few, profile.points.size()));
  if (!profile.upper) return {profile.points.end() - n, profile.points.end()};
  std::vector<Profile::Point> stretch{profile.points.begin(), profile.points.begin() + n};
  std::reverse(stretch.begin(), stretch.end());
  return stretch;
}

std::string flat_sentence(const ProfileSides& sides, const Profile& profile, const std::string& limits) {
  std::string text = fmt::format("{} is not identifiable: the fit is the same whatever its value", profile.id);
  if (!profile.combinations.empty())
    text += fmt::format(", as long as {}", listed(profile.combinations));
  else if (!sides.with.empty())
    text += ", if " + sides.with;
  const bool has_end = profile.lower || profile.upper;
  return text + (has_end ? ". The bounds of the others leave this: " + limits : ".");
}

}  // namespace

void add_words(const ProfileSides& sides, double level, const std::vector<std::string>& ids, Profile& profile) {
  const int ends = (profile.lower ? 1 : 0) + (profile.upper ? 1 : 0);
  if (sides.is_unseen || sides.is_level)
    profile.combinations = combinations_along(profile.id, level_stretch(profile), ids);
  const bool is_flat = profile.is_followed &&
                       (sides.is_level || (sides.is_unseen && !profile.combinations.empty() && !sides.ends_by_data));
  profile.verdict = is_flat      ? Verdict::flat
                    : sides.dips ? Verdict::several_minima
                    : ends == 2  ? Verdict::identifiable
                    : ends == 1  ? Verdict::one_sided
                                 : Verdict::flat;
  profile.sentence = interval_sentence(sides, level, profile);
  switch (profile.verdict) {
    case Verdict::identifiable: return;
    case Verdict::one_sided:
      if (!profile.is_followed) return;  // what lies beyond is not known
      profile.combinations = combinations_along(profile.id, outer_stretch(profile), ids);
      if (!profile.combinations.empty())
        profile.sentence += fmt::format(" Beyond, the data see only {}.", listed(profile.combinations));
      return;
    case Verdict::several_minima:
      profile.sentence += " Within this range the fit has several minima: another value fits almost as well.";
      return;
    case Verdict::flat: break;
  }
  if (is_flat)
    profile.sentence = flat_sentence(sides, profile, profile.sentence);
  else if (profile.is_followed)
    profile.sentence += " The data prefer no value enough.";
}

std::string new_observation_sentence(const Profile& profile) {
  const auto& [lower, upper, is_followed] = *profile.new_observation;
  const auto text = [&](const std::optional<double>& limit) { return limit_text(*limit, profile.estimate); };
  const std::string_view rest = is_followed ? "." : "; its other limit was not found.";
  if (lower && upper) return fmt::format(" A new measurement would lie between {} and {}.", text(lower), text(upper));
  if (lower) return fmt::format(" A new measurement would be at least {}{}", text(lower), rest);
  if (upper) return fmt::format(" A new measurement would be at most {}{}", text(upper), rest);
  return is_followed ? "" : " The limits of a new measurement were not found.";
}

std::string read_together(const std::vector<Profile>& profiles) {
  const auto is_told = [](const Profile& profile) {
    return profile.is_followed || profile.verdict == Verdict::several_minima;
  };
  const auto those = [&](Verdict verdict) {
    std::vector<std::string> ids;
    for (const Profile& profile : profiles)
      if (profile.verdict == verdict && !profile.is_prediction && is_told(profile)) ids.push_back(profile.id);
    return ids;
  };
  std::vector<std::string> untold;
  for (const Profile& profile : profiles)
    if (!profile.is_prediction && !is_told(profile)) untold.push_back(profile.id);
  const std::vector<std::string> sure = those(Verdict::identifiable);
  const std::vector<std::string> one_sided = those(Verdict::one_sided);
  const std::vector<std::string> flat = those(Verdict::flat);
  const std::vector<std::string> several = those(Verdict::several_minima);
  const std::size_t all = sure.size() + one_sided.size() + flat.size() + several.size() + untold.size();
  if (all == 0) return "";
  if (sure.size() == all)
    return all == 1   ? fmt::format("{} is identifiable.", sure[0])
           : all == 2 ? "Both quantities are identifiable."
                      : fmt::format("All {} quantities are identifiable.", all);
  std::vector<std::string> parts;
  if (!sure.empty())
    parts.push_back(
        fmt::format("{} of {} quantities {} identifiable", sure.size(), all, sure.size() == 1 ? "is" : "are"));
  if (!one_sided.empty())
    parts.push_back(
        fmt::format("{} {} bounded on one side only", listed(one_sided), one_sided.size() == 1 ? "is" : "are"));
  if (!flat.empty())
    parts.push_back(fmt::format("{} {} not identifiable{}", listed(flat), flat.size() == 1 ? "is" : "are",
                                of_what_is_seen(profiles)));
  if (!several.empty()) parts.push_back(fmt::format("with {} there are several minima", listed(several)));
  if (!untold.empty()) parts.push_back(fmt::format("{} could not be followed to the end", listed(untold)));
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text + ".";
}

}  // namespace salvo::words
