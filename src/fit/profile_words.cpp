#include "fit/profile_words.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string interval_sentence(const ProfileSides& sides, double level, const Profile& profile) {
  const double least = profile.points.empty() ? profile.estimate : profile.points.front().value;
  const double most = profile.points.empty() ? profile.estimate : profile.points.back().value;
  const std::string no_lower = profile.lower ? "" : missing_limit(sides.down, "lower", least, sides.trouble);
  const std::string no_upper = profile.upper ? "" : missing_limit(sides.up, "upper", most, sides.trouble);
  if (profile.lower && profile.upper)
    return fmt::format("{} lies between {:.4g} and {:.4g} ({:g} %).", profile.id, *profile.lower, *profile.upper,
                       100 * level);
  if (profile.lower) return fmt::format("{} is at least {:.4g}; {}.", profile.id, *profile.lower, no_upper);
  if (profile.upper) return fmt::format("{} is at most {:.4g}; {}.", profile.id, *profile.upper, no_lower);
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
