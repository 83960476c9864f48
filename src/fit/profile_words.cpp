#include "fit/profile_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace salvo::fit {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::identifiable: return "identifiable";
    case Verdict::one_sided: return "one-sided";
    case Verdict::flat: return "flat";
    case Verdict::several_minima: return "several minima";
  }
  return "";
}

namespace {

using statistics::PathEnd;

// Why there is no limit on a side: "no upper limit".
std::string missing_limit(PathEnd end, std::string_view side, double reached, const std::string& trouble) {
  switch (end) {
    case PathEnd::bound: return fmt::format("no {} limit within its bounds", side);
    case PathEnd::failed:
      return fmt::format("no {} limit up to {:.4g}, where fits fail{}", side, reached,
                         trouble.empty() ? "" : " (" + trouble + ")");
    case PathEnd::stopped: return fmt::format("the {} limit was not looked for to the end", side);
    case PathEnd::lower: return fmt::format("towards its {} limit a better fit was found", side);
    case PathEnd::level:
    case PathEnd::flat: break;
  }
  return fmt::format("no {} limit", side);
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
  const std::string no_lower = profile.lower ? "" : missing_limit(sides.down, "lower", least, sides.trouble);
  const std::string no_upper = profile.upper ? "" : missing_limit(sides.up, "upper", most, sides.trouble);
  if (profile.lower && profile.upper)
    return fmt::format("{} lies between {} and {} ({:g} %).", profile.id, limit_text(*profile.lower, profile.estimate),
                       limit_text(*profile.upper, profile.estimate), 100 * level);
  if (profile.lower)
    return fmt::format("{} is at least {}; {}.", profile.id, limit_text(*profile.lower, profile.estimate), no_upper);
  if (profile.upper)
    return fmt::format("{} is at most {}; {}.", profile.id, limit_text(*profile.upper, profile.estimate), no_lower);
  return fmt::format("{} has {} and {}.", profile.id, no_lower, no_upper);
}

}  // namespace

void add_words(const ProfileSides& sides, double level, Profile& profile) {
  const int ends = (profile.lower ? 1 : 0) + (profile.upper ? 1 : 0);
  profile.verdict = sides.dips  ? Verdict::several_minima
                    : ends == 2 ? Verdict::identifiable
                    : ends == 1 ? Verdict::one_sided
                                : Verdict::flat;
  const std::string limits = interval_sentence(sides, level, profile);
  switch (profile.verdict) {
    case Verdict::identifiable: profile.sentence = limits; return;
    case Verdict::one_sided: profile.sentence = limits; return;
    case Verdict::several_minima:
      profile.sentence = limits + " Within this range the fit has several minima: another value fits almost as well.";
      return;
    case Verdict::flat: break;
  }
  profile.sentence = sides.is_level
                         ? fmt::format("{} cannot be told from these data: the fit is the same whatever its value{}.",
                                       profile.id, sides.with.empty() ? "" : ", if " + sides.with)
                         : limits + " The data prefer no value enough.";
}

}  // namespace salvo::fit
