#include "report/optima_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "fit/optima.hpp"
#include "report/digits.hpp"
#include "report/lines.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t number_width = 12;
constexpr std::size_t starts_width = 8;
constexpr std::size_t most_parameters = 4;  // as many as 80 columns hold
constexpr std::size_t most_rows = 10;

std::string header(const fit::Optimum& best) {
  std::string line = fmt::format("  {}{}", right("objective", number_width), right("starts", starts_width));
  for (std::size_t k = 0; k < std::min(best.parameters.size(), most_parameters); ++k)
    line += " " + right(best.parameters[k].first, number_width);
  if (best.parameters.size() > most_parameters) line += " ...";
  return line;
}

std::string row(const fit::Optimum& optimum) {
  std::string line = fmt::format("  {}{}", right(rounded(optimum.objective), number_width),
                                 right(std::to_string(optimum.starts.size()), starts_width));
  for (std::size_t k = 0; k < std::min(optimum.parameters.size(), most_parameters); ++k)
    line += " " + right(rounded(optimum.parameters[k].second), number_width);
  return line + (optimum.is_one_point ? "\n" : " *\n");
}

std::string_view in_words(fit::Status status) {
  switch (status) {
    case fit::Status::converged: return "converged";
    case fit::Status::max_iterations: return "out of iterations";
    case fit::Status::max_time: return "out of time";
    case fit::Status::infeasible: return "not joined or not feasible";
    case fit::Status::stalled: return "stalled";
    case fit::Status::interrupted: return "interrupted";
    case fit::Status::numerical_failure: return "failed";
  }
  return {};
}

std::string others_line(const fit::FitResult& result) {
  std::string line;
  for (const auto& [status, count] : fit::not_converged(result.starts))
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", count, in_words(status));
  return line.empty() ? line : wrapped("not converged: " + line, 2);
}

}  // namespace

std::string optima_table(const fit::FitResult& result, bool colour) {
  if (result.starts.empty()) return {};
  const std::vector<fit::Optimum> optima = fit::distinct_optima(result.starts);
  if (optima.empty()) return others_line(result);

  std::string text =
      fmt::format("  {} found from {}\n", optima.size() == 1 ? "1 optimum" : fmt::format("{} optima", optima.size()),
                  counted(static_cast<long>(result.starts.size()), "start"));
  text += toned(header(optima.front()), Tone::strong, colour) + "\n";
  for (std::size_t n = 0; n < std::min(optima.size(), most_rows); ++n) text += row(optima[n]);
  if (optima.size() > most_rows) text += fmt::format("  and {} more in starts.csv\n", optima.size() - most_rows);
  const bool any_differ =
      std::any_of(optima.begin(), optima.end(), [](const fit::Optimum& optimum) { return !optimum.is_one_point; });
  if (any_differ)
    text += wrapped(
        "* reached with different parameters as well: the data do not see the difference, or the model has a symmetry",
        2);
  return text + others_line(result);
}

}  // namespace salvo::report
