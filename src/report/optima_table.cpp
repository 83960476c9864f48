#include "report/optima_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "report/column_widths.hpp"
#include "report/digits.hpp"
#include "report/lines.hpp"
#include "results/optima.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t starts_width = 8;
constexpr std::size_t most_rows = 10;

// How many parameters a line holds beside the objective and the number of starts.
std::size_t shown_parameters(const Optimum& optimum, std::size_t width) {
  constexpr std::size_t before = 2 + number_width + starts_width;
  constexpr std::size_t after = 4;  // " ..." or " *"
  const std::size_t room = std::max(width, before + after) - before - after;
  return std::min(optimum.parameters.size(), room / (number_width + 1));
}

std::string header(const Optimum& best, std::size_t width) {
  const std::size_t shown = shown_parameters(best, width);
  std::string line = fmt::format("  {}{}", right("objective", number_width), right("starts", starts_width));
  for (std::size_t k = 0; k < shown; ++k) line += " " + right(best.parameters[k].first, number_width);
  if (best.parameters.size() > shown) line += " ...";
  return line;
}

std::string row(const Optimum& optimum, std::size_t width) {
  std::string line = fmt::format("  {}{}", right(rounded(optimum.objective), number_width),
                                 right(std::to_string(optimum.starts.size()), starts_width));
  for (std::size_t k = 0; k < shown_parameters(optimum, width); ++k)
    line += " " + right(rounded(optimum.parameters[k].second), number_width);
  return line + (optimum.is_one_point ? "\n" : " *\n");
}

std::string_view in_words(Status status) {
  switch (status) {
    case Status::converged: return "converged";
    case Status::max_iterations: return "out of iterations";
    case Status::max_time: return "out of time";
    case Status::infeasible: return "not joined or not feasible";
    case Status::stalled: return "stalled";
    case Status::interrupted: return "interrupted";
    case Status::numerical_failure: return "failed";
  }
  return {};
}

std::string others_lines(const FitResult& result, std::size_t width) {
  std::string text;
  for (const Failures& failures : not_converged(result.starts)) {
    std::string line = fmt::format("{} {}", counted(failures.count, "start"), in_words(failures.status));
    if (!failures.reason.empty())
      line += fmt::format("{}: {}", failures.count > 1 ? "; the usual reason" : "", failures.reason);
    text += wrapped(line, 2, width);
  }
  return text;
}

}  // namespace

std::string optima_table(const FitResult& result, bool colour, std::size_t width) {
  if (result.starts.empty()) return {};
  const std::vector<Optimum> optima = distinct_optima(result.starts);
  if (optima.empty()) return others_lines(result, width);

  std::string text =
      fmt::format("  {} found from {}\n", optima.size() == 1 ? "1 optimum" : fmt::format("{} optima", optima.size()),
                  counted(static_cast<long>(result.starts.size()), "start"));
  text += toned(header(optima.front(), width), Tone::strong, colour) + "\n";
  for (std::size_t n = 0; n < std::min(optima.size(), most_rows); ++n) text += row(optima[n], width);
  if (optima.size() > most_rows) text += fmt::format("  and {} more in starts.csv\n", optima.size() - most_rows);
  const bool any_differ =
      std::any_of(optima.begin(), optima.end(), [](const Optimum& optimum) { return !optimum.is_one_point; });
  if (any_differ) text += wrapped("* reached with different parameters as well: they are not identifiable", 2, width);
  return text + others_lines(result, width);
}

}  // namespace salvo::report
