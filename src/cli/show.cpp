#include "cli/show.hpp"

#include <fmt/format.h>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "report/display_text.hpp"
#include "report/json.hpp"
#include "report/profiles.hpp"
#include "report/summary.hpp"

namespace salvo::cli {
namespace {

void show_where(const std::string& folder) {
  if (!folder.empty()) print(fmt::format("Results: {0}\nReport:  {0}/report.html\n", report::printable(folder)));
}

void show_fit(const model::Problem& problem, const FitResult& result, const Shown& how, const std::string& folder) {
  const bool has_summary = !how.json && !how.quiet;
  if (how.json) print(report::fit_json(problem, result));
  if (has_summary) print(report::fit_summary(problem, result, wants_colour(), sentence_width_out()));
  if (has_summary && result.profiles) print("\n" + report::profiles_summary(result, wants_colour()));
  if (has_summary && how.verbose) print(report::certificate_line(result));
  if (has_summary) show_where(folder);
  if (!has_summary && result.status != Status::converged) print_error(fmt::format("salvo: {}\n", result.message));
}

void show_profiles(const FitResult& result, const Shown& how, const std::string& folder) {
  if (how.json) print(report::profiles_json(result));
  const bool has_summary = !how.json && !how.quiet;
  if (has_summary && result.profiles) print(report::profiles_summary(result, wants_colour()));
  if (has_summary && !result.profiles) print(result.message + "\n");
  if (has_summary) show_where(folder);
}

void show_study(const fit::StudyResult& result, const Shown& how) {
  if (how.json) print(report::study_json(result));
  if (!how.json && !how.quiet) print(report::study_summary(result));
  if (!result.ok && (how.json || how.quiet)) print_error(fmt::format("salvo: {}\n", result.message));
}

}  // namespace

void show(const runs::PreparedRun& run, const runs::RunResult& result, const Shown& how, const std::string& folder) {
  if (const auto* study = std::get_if<fit::StudyResult>(&result)) return show_study(*study, how);
  const FitResult& fitted = std::get<FitResult>(result);
  if (run.words.command == "profile") return show_profiles(fitted, how, folder);
  show_fit(run.problem, fitted, how, folder);
}

int exit_code_of(const runs::PreparedRun& run, const runs::RunResult& result) {
  if (was_interrupted()) return was_interrupted_by_hand() ? exit_code::interrupted : exit_code::more_to_do;
  const auto* study = std::get_if<fit::StudyResult>(&result);
  if (study != nullptr) return study->ok ? exit_code::done : exit_code::no_answer;
  const FitResult& fitted = std::get<FitResult>(result);
  const bool has_profiles = run.words.command != "profile" || (fitted.profiles && fitted.profiles->complete);
  const bool has_enough_cells = !fitted.grid_error || !fitted.grid_error->spoils_answer();
  const bool is_answer = fitted.status == Status::converged && has_profiles && has_enough_cells;
  return is_answer ? exit_code::done : exit_code::no_answer;
}

}  // namespace salvo::cli
