#include "report/write.hpp"

#include <fmt/format.h>

#include "report/folder_update.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/petab_tables.hpp"
#include "report/pictures_json.hpp"
#include "report/profiles.hpp"
#include "report/summary.hpp"
#include "report/svg.hpp"
#include "report/tables.hpp"

namespace salvo::report {
namespace {

// All that a fit may write: what it does not write this time is of an earlier one.
constexpr std::string_view files_of_a_fit[] = {
    "estimates.tsv",         "trajectories.csv", "residuals.csv", "starts.csv", "start.svg",
    "solution.svg",          "pictures.json",    "report.html",   "fit.json",   "petab_parameters.tsv",
    "petab_simulations.tsv", "bands.csv",        "profiles.csv",  "summary.txt"};

std::string solution_heading(const FitResult& result) {
  if (result.status == Status::converged) return "Solution: the intervals, joined to one trajectory";
  return fmt::format("Where the fit ended ({})", to_string(result.status));
}

}  // namespace

void write_fit(const model::Problem& problem, const FitResult& result, const std::string& folder,
               const RunRecord& run) {
  FolderUpdate update(folder);
  update.write("estimates.tsv", estimates_tsv(result));
  update.write("trajectories.csv", trajectories_csv(problem, result.solution_arcs));
  update.write("residuals.csv", [&](const TextSink& write) { residuals_csv(problem, result, write); });
  update.write("bands.csv", [&](const TextSink& write) { bands_csv(problem, result, write); });
  if (problem.petab) {
    update.write("petab_parameters.tsv", petab_parameters(*problem.petab, result));
    update.write("petab_simulations.tsv", petab_simulations(*problem.petab, result));
  }
  if (!result.starts.empty()) update.write("starts.csv", starts_csv(result));
  if (result.profiles) update.write("profiles.csv", profiles_csv(*result.profiles));
  update.write("start.svg", shooting_svg(problem, result, result.start_arcs, "Start: every interval on its own"));
  update.write("solution.svg", shooting_svg(problem, result, result.solution_arcs, solution_heading(result)));
  update.write("summary.txt", fit_summary(problem, result, false));
  const std::string numbers = fit_json(problem, result);
  const std::string pictures = pictures_json(problem, result, run);
  update.write("pictures.json", pictures);
  update.write("report.html", page_html(numbers, pictures));
  // Last, because it is what other programs look for.
  update.write("fit.json", numbers);
  update.finish(files_of_a_fit);
}

}  // namespace salvo::report
