#include "fit/solution.hpp"

#include <fmt/format.h>

#include "estimate/quantities.hpp"
#include "estimate/starts/guesses.hpp"
#include "estimate/starts/starts.hpp"
#include "fit/describe.hpp"
#include "words/about_starts.hpp"

namespace salvo::fit {
namespace {

// Machine code that is made in this call is gone with it: fits of other calls do not pay for it.
estimate::Options of_this_call(estimate::Options options) {
  options.expected_reuse = 1;
  return options;
}

RunContext within(const RunContext& caller, const std::optional<double>& seconds) {
  RunContext context = caller;
  if (seconds) context.stop_after(*seconds);
  return context;
}

}  // namespace

std::string why_not_fitted(const model::Problem& problem, const estimate::Options& options) {
  const std::string refusal = estimate::why_not(problem, options.guess);
  if (refusal.empty() && problem.measurements.empty()) return "Nothing can be fitted: the problem has no measurements.";
  return refusal;
}

Run::Run(const model::Problem& problem, const estimate::Options& options, const RunContext& caller)
    : problem_(problem),
      options_(of_this_call(options)),
      context_(within(caller, options.max_seconds)),
      refusal_(why_not_fitted(problem, options)),
      watch_(context_) {
  if (!refusal_.empty()) return;
  watch_.grant(for_description);  // of a small problem at least the start is told, however little time there is
  compiled_ = compile::compile(problem_, context_.stop);
  watch_.grant({});
  if (compiled_) return;
  refusal_ = context_.is_interrupted()
                 ? std::string("The run was interrupted while the equations were compiled: nothing was reached.")
                 : fmt::format("The time ran out while the equations were compiled: allow more with {}.",
                               spelled(options_.spelling, Hint::time));
}

FitResult Run::refused() const {
  const bool is_stopped = why_not_fitted(problem_, options_).empty();
  const Status stopped = context_.is_interrupted() ? Status::interrupted : Status::max_time;
  return {.problem = problem_.file, .status = is_stopped ? stopped : Status::numerical_failure, .message = refusal_};
}

Solution Run::solve() const {
  if (options_.starts <= 1) return {.estimation = estimate::estimate(problem_, options_, context_, {compiled_})};
  estimate::StartsResult all = estimate::solve_all(
      problem_, options_, estimate::spread_guesses(problem_, options_.starts, options_), context_, compiled_);
  return {std::move(all.estimation), std::move(all.starts)};
}

estimate::Estimation Run::solve_from(const std::map<std::string, double>& guess) const {
  estimate::Options from_there = options_;
  from_there.guess = guess;
  from_there.guess_from = estimate::GuessFrom::user;
  return estimate::estimate(problem_, from_there, context_, {compiled_});
}

FitResult Run::describe(Solution solution, const uncertainty::IntervalsOutcome& intervals) {
  watch_.grant(for_description);
  FitResult result = fit::describe(std::move(solution.estimation), begin_, intervals);
  if (!solution.starts.empty()) result.message += " " + words::about_starts(solution.starts);
  result.starts = std::move(solution.starts);
  return result;
}

}  // namespace salvo::fit
