#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "report/column_widths.hpp"
#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/lines.hpp"
#include "report/summary.hpp"

namespace salvo::report {
namespace {

std::string observables_table(const model::Problem& problem, const std::vector<fit::EvaluateResult::Score>& scores) {
  const auto row = [](std::string_view name, std::string_view values, std::string_view chi2, std::string_view llh) {
    return fmt::format("  {}{} {} {}\n", left(name, widest_name), right(values, 8), right(chi2, number_width),
                       right(llh, number_width));
  };
  std::string table = row("observable", "values", "chi2", "llh");
  for (std::size_t k = 0; k < scores.size(); ++k)
    table += row(problem.observables[k].id, std::to_string(scores[k].values), rounded(scores[k].chi2),
                 rounded(scores[k].llh));
  return table;
}

std::string named_numbers(std::string_view heading, const std::vector<std::pair<std::string, double>>& entries) {
  if (entries.empty()) return {};
  std::string table = fmt::format("\n{}\n", heading);
  for (const auto& [name, value] : entries)
    table += fmt::format("  {} {}\n", left(name, widest_name), right(rounded(value), number_width));
  return table;
}

}  // namespace

std::string evaluate_summary(const model::Problem& problem, const fit::EvaluateResult& result) {
  std::string text;
  if (!problem.title.empty()) text += shorten(printable(problem.title), terminal_width) + "\n\n";
  text += observables_table(problem, result.by_observable);
  text += fmt::format("\nlog-likelihood {}, chi2 {}, {}\n", rounded(result.llh), rounded(result.chi2),
                      counted(std::ssize(problem.measurements), "measurement"));
  text += named_numbers("log prior", result.log_prior);
  text += named_numbers("d llh / d theta, each on its scale", result.gradient);
  return result.message.empty() ? text : text + "\n" + wrapped(result.message);
}

std::string check_summary(const std::vector<fit::Finding>& findings, std::size_t width) {
  constexpr std::size_t indent = 9;
  std::string text;
  for (const fit::Finding& finding : findings) {
    const std::string lines = wrapped(finding.text, indent, width);
    text += fmt::format("{:<9}{}", fit::to_string(finding.level), lines.substr(std::min(indent, lines.size())));
  }
  const auto troubles = std::count_if(findings.begin(), findings.end(), [](const fit::Finding& finding) {
    return finding.level == fit::Finding::Level::trouble;
  });
  const bool is_cut = std::ranges::any_of(findings, &fit::Finding::cut_short);
  if (troubles == 0) return text + (is_cut ? "What was looked at is sound.\n" : "The problem is sound.\n");
  if (troubles == 1) return text + "The problem can be run, but one thing will give trouble.\n";
  return text + fmt::format("The problem can be run, but {} things will give trouble.\n", troubles);
}

std::string study_summary(const fit::StudyResult& result) {
  std::size_t name_width = 4;
  for (const auto& quantity : result.quantities) name_width = std::max(name_width, display_width(quantity.id));
  name_width = std::min<std::size_t>(name_width, 16);
  const auto row = [&](std::string_view name, std::string_view truth, std::string_view mean, std::string_view sd,
                       std::string_view expected_sd, std::string_view coverage) {
    return fmt::format("  {} {} {} {} {} {}\n", left(name, name_width), right(truth, number_width),
                       right(mean, number_width), right(sd, number_width), right(expected_sd, number_width),
                       right(coverage, 9));
  };
  std::string text = row("", "truth", "mean", "sd", "expected sd", "coverage");
  for (const auto& quantity : result.quantities)
    text += row(quantity.id, rounded(quantity.truth), rounded(quantity.mean, quantity.sd),
                rounded(quantity.sd, quantity.sd), rounded(quantity.expected_sd, quantity.expected_sd),
                std::isnan(quantity.coverage95) ? "-" : fmt::format("{:.1f} %", 100 * quantity.coverage95));
  const std::string iterations =
      result.mean_iterations == 1 ? "1 iteration" : fmt::format("{:.3g} iterations", result.mean_iterations);
  text += fmt::format("\n{} of {} converged, in {} on average.\n", result.converged,
                      counted(result.replicates, "replicate"), iterations);
  if (result.interrupted) text += "The study ended early; these are the replicates that were done.\n";
  return result.message.empty() ? text : text + wrapped(result.message);
}

}  // namespace salvo::report
