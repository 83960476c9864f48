#include "fit/fit.hpp"

#include "fit/field_pictures.hpp"
#include "fit/grid_error.hpp"
#include "fit/solution.hpp"
#include "words/grid_error.hpp"

namespace salvo::fit {
namespace {

constexpr int most_better_fits = 3;

// Along a path an objective may lie lower by errors of the integration alone: a better fit is a proved one.
bool is_better(const estimate::Answer& other, const estimate::Answer& answer, double better) {
  return estimate::is_proved(other) && other.run.objective < answer.run.objective - better;
}

FitResult fit_on_cells(const model::Problem& problem, const Options& options, const RunContext& context) {
  Run run(problem, options, context);
  if (!run.refusal().empty()) return run.refused();
  Solution solution = run.solve();
  std::string remark;
  for (int n = 0;; ++n) {
    const uncertainty::IntervalsOutcome intervals = uncertainty::likelihood_intervals(
        *solution.estimation.workspace, solution.estimation.best, options.intervals, run.context());
    if (intervals.better.empty() || n == most_better_fits) {
      FitResult result = run.describe(std::move(solution), intervals);
      result.message += remark;
      return result;
    }
    estimate::Estimation other = run.solve_from(intervals.better, n + 1);
    if (!is_better(other.best.answer, solution.estimation.best.answer, options.rules.answer.better)) {
      other = {};
      return run.describe(std::move(solution), intervals);
    }
    remark = " The ends of the intervals led to a better fit, which is this one.";
    solution.estimation = std::move(other);
  }
}

}  // namespace

FitResult fit(const model::Problem& problem, const Options& options, const RunContext& context) {
  FitResult result = fit_on_cells(problem, options, context);
  if (!result.predictions.empty()) result.field_pictures = field_pictures(problem, options, result, context);
  if (!result.predictions.empty()) result.grid_error = grid_error(problem, options, result, context);
  if (result.grid_error) {
    result.grid_error->is_accepted = options.accept_grid_error;
    result.message += words::about_grid(*result.grid_error, options.spelling);
  }
  return result;
}

}  // namespace salvo::fit
