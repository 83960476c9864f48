#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "design/words.hpp"
#include "report/column_widths.hpp"
#include "report/designs/designs.hpp"
#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/lines.hpp"

namespace salvo::report::designs {
namespace {

using design::Error;
using design::Taken;

std::string samples_table(const design::Result& result, bool colour) {
  const bool experiments = std::any_of(result.taken.begin(), result.taken.end(),
                                       [](const Taken& each) { return each.experiment != model::default_experiment; });
  std::size_t width = 10;
  for (const Taken& each : result.taken) width = std::max(width, display_width(each.experiment));
  width = std::min(width, widest_label);
  const auto row = [&](std::string_view time, std::string_view count, std::string_view experiment,
                       std::string_view what) {
    return fmt::format("  {} {}{}  {}", right(time, number_width), right(count, 8),
                       experiments ? "  " + left(experiment, width) : "", what);
  };
  std::string text = toned(row("time", "samples", "experiment", "of"), Tone::strong, colour) + "\n";
  for (const Taken& each : result.taken)
    text += row(rounded(each.time), std::to_string(each.count), printable(each.experiment),
                printable(listed(each.observables, 4))) +
            "\n";
  return text;
}

std::string error_text(const std::optional<double>& error) { return error ? fmt::format("{:.4g}", *error) : "-"; }

std::string errors_table(const design::Result& result, bool colour) {
  std::size_t width = 4;
  for (const Error& error : result.errors) width = std::max(width, display_width(error.id));
  width = std::min(width, widest_name);
  const auto row = [&](std::string_view id, std::string_view now, std::string_view then, std::string_view even) {
    return fmt::format("  {} {} {} {}", left(id, width), right(now, number_width), right(then, number_width),
                       right(even, number_width));
  };
  std::string text = toned(row("", "error now", "then", "equidistant"), Tone::strong, colour) + "\n";
  for (const Error& error : result.errors)
    text +=
        row(printable(error.id), error_text(error.now), error_text(error.then), error_text(error.equidistant)) + "\n";
  return text;
}

std::string refined_line(const design::Result& result) {
  if (!result.refined || result.refined->taken.empty()) return {};
  return fmt::format("Off the grid: t = {}, {} {:.6g} in place of {:.6g}.",
                     design::taken_in_words(result.refined->taken), design::value_in_words(result),
                     result.refined->value, result.value);
}

}  // namespace

std::string summary(const model::Problem& problem, const design::Result& result, bool colour, std::size_t width) {
  std::string text;
  if (!problem.title.empty()) text += shorten(printable(problem.title), terminal_width) + "\n\n";
  if (!result.taken.empty()) text += samples_table(result, colour) + "\n";
  if (!result.errors.empty()) text += errors_table(result, colour) + "\n";
  if (result.status == design::Status::found) {
    text += wrapped(fmt::format("{} {:.6g} ({:.6g} by the best weights). Sensitivity at most {:.6g}, level {:.6g}.",
                                design::value_in_words(result), result.value, result.continuous_value, result.largest,
                                result.level),
                    0, width);
    text += wrapped(refined_line(result), 0, width);
  }
  text += wrapped(printable(result.message), 0, width);
  for (const std::string& remark : result.remarks) text += wrapped(printable(remark), 0, width);
  return text;
}

}  // namespace salvo::report::designs
