#include "design/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/words.hpp"

namespace salvo::design {
namespace {

std::string times_over(int count) {
  return count == 1 ? "" : count == 2 ? " (twice)" : fmt::format(" ({} times)", count);
}

template <class Name>
bool differ(const std::vector<Taken>& taken, const Name& name) {
  return std::any_of(taken.begin(), taken.end(), [&](const Taken& each) { return name(each) != name(taken[0]); });
}

std::string about_equidistant(const Result& result) {
  double least = 1e300, most = 0;
  bool is_determined = true;
  for (const Error& error : result.errors) {
    if (error.then && !error.equidistant) is_determined = false;
    if (!error.then || !error.equidistant || !(*error.then > 0)) continue;
    least = std::min(least, *error.equidistant / *error.then);
    most = std::max(most, *error.equidistant / *error.then);
  }
  if (!is_determined) return " As many samples at equidistant times would not determine all of it.";
  if (!(most > 0)) return {};
  const std::string range =
      most - least < 0.05 ? fmt::format("{:.2g}", most) : fmt::format("{:.2g} to {:.2g}", least, most);
  const std::string share = result.equidistant_efficiency
                                ? fmt::format("are {:.2g} % as good and ", 100 * *result.equidistant_efficiency)
                                : "";
  return fmt::format(" As many samples at equidistant times {}would leave errors {} times as large.", share, range);
}

std::string about_directions(const Result& result) {
  std::string text;
  const auto is_still_unseen = [&](const NullDirection& direction) {
    return std::any_of(result.still_unseen.begin(), result.still_unseen.end(),
                       [&](const NullDirection& other) { return other.parts == direction.parts; });
  };
  for (const NullDirection& direction : result.null_directions)
    if (!is_still_unseen(direction))
      text +=
          fmt::format(" Before, a change of {} was not seen; with this design it is.", direction_in_words(direction));
  for (const NullDirection& direction : result.still_unseen)
    text +=
        fmt::format(" A change of {} stays unseen, but is not what the design is for.", direction_in_words(direction));
  return text;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::found: return "found";
    case Status::not_identifiable: return "not_identifiable";
    case Status::failed: return "failed";
    case Status::interrupted: return "interrupted";
  }
  return {};
}

std::string direction_in_words(const NullDirection& direction) {
  std::vector<std::string> parts;
  for (const auto& [id, coefficient] : direction.parts)
    parts.push_back(fmt::format("{} by {:+.3g} %", id, coefficient));
  return listed(parts, 6) + (parts.size() > 1 ? " together" : "");
}

std::string taken_in_words(const std::vector<Taken>& taken) {
  const bool experiments = differ(taken, [](const Taken& each) { return each.experiment; });
  const bool observables = differ(taken, [](const Taken& each) { return each.observables; });
  std::string text;
  for (std::size_t i = 0; i < taken.size();) {
    const Taken& first = taken[i];
    std::vector<std::string> times;
    for (; i < taken.size() && taken[i].experiment == first.experiment && taken[i].observables == first.observables;
         ++i)
      times.push_back(fmt::format("{:.6g}{}", taken[i].time, times_over(taken[i].count)));
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", observables ? listed(first.observables) + " at " : "",
                        listed(times, 12), experiments ? " of " + first.experiment : "");
  }
  if (!experiments && !taken.empty() && taken[0].experiment.find('=') != std::string::npos)
    text += " with " + taken[0].experiment;
  return text;
}

std::string value_in_words(const Result& result) {
  switch (result.criterion) {
    case model::DesignCriterion::D: return result.interest.empty() ? "log det F" : "log det F of what it is for";
    case model::DesignCriterion::A: return "trace of the covariance";
    case model::DesignCriterion::E: return "least eigenvalue of F";
    case model::DesignCriterion::c: return fmt::format("variance of {}", result.about);
  }
  return {};
}

std::string message_of(const Result& result) {
  int count = 0;
  for (const Taken& each : result.taken) count += each.count;
  return fmt::format("{} at t = {}: at least {:.2f} % as good as the best possible design, which is proved.{}{}",
                     counted(count, "sample"), taken_in_words(result.taken), std::min(100 * result.efficiency, 100.0),
                     about_equidistant(result), about_directions(result));
}

}  // namespace salvo::design
