#include "fit/solution.hpp"

#include <fmt/format.h>

#include "base/tasks.hpp"
#include "estimate/kept.hpp"
#include "estimate/quantities.hpp"
#include "estimate/starts/guesses.hpp"
#include "estimate/starts/starts.hpp"
#include "fit/describe.hpp"
#include "fit/kept_run.hpp"
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
      kept_(caller.keeper != nullptr && options.starts <= 1 ? std::make_unique<KeptRun>(*caller.keeper) : nullptr),
      watch_(context_) {
  context_.keeper = nullptr;
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

Run::~Run() = default;

FitResult Run::refused() const {
  const bool is_stopped = why_not_fitted(problem_, options_).empty();
  const Status stopped = context_.is_interrupted() ? Status::interrupted : Status::max_time;
  return {.problem = problem_.file, .status = is_stopped ? stopped : Status::numerical_failure, .message = refusal_};
}

Solution Run::solve() const {
  if (options_.starts <= 1) return {.estimation = estimated(options_, 0)};
  estimate::StartsResult all = estimate::solve_all(
      problem_, options_, estimate::spread_guesses(problem_, options_.starts, options_), context_, compiled_);
  return {std::move(all.estimation), std::move(all.starts)};
}

estimate::Estimation Run::estimated(const estimate::Options& options, int n) const {
  if (context_.board == nullptr) return computed(options, n);
  Tasks<estimate::KeptEstimation> tasks{.list = {fmt::format("fit.{}", n), 1}, .board = context_.board};
  tasks.run = [&](int) { return estimate::kept(computed(options, n)); };
  tasks.is_whole = [&](const estimate::KeptEstimation&) { return !context_.should_stop(); };
  const std::optional<estimate::KeptEstimation> kept = run_tasks(tasks, 1).front().result;
  return kept ? restored(options, *kept) : computed(options, n);
}

estimate::Estimation Run::restored(const estimate::Options& options, const estimate::KeptEstimation& kept) const {
  return estimate::restored(problem_, options, kept, reused(), context_.stop);
}

estimate::Estimation Run::computed(const estimate::Options& options, int n) const {
  if (!kept_) return estimate::estimate(problem_, options, context_, reused());
  if (const auto kept = kept_->estimation(n)) return restored(options, *kept);
  kept_->begin(n);
  RunContext context = context_;
  context.keeper = kept_.get();
  estimate::Estimation estimation = estimate::estimate(problem_, options, context, reused());
  if (!context_.should_stop()) kept_->finish(n, estimate::kept(estimation));
  return estimation;
}

estimate::Estimation Run::solve_from(const std::map<std::string, double>& guess, int n) const {
  estimate::Options from_there = options_;
  from_there.guess = guess;
  from_there.guess_from = estimate::GuessFrom::user;
  return estimated(from_there, n);
}

FitResult Run::describe(Solution solution, const uncertainty::IntervalsOutcome& intervals) {
  watch_.grant(for_description);
  FitResult result = fit::describe(std::move(solution.estimation), begin_, intervals);
  if (!solution.starts.empty()) result.message += " " + words::about_starts(solution.starts);
  result.starts = std::move(solution.starts);
  return result;
}

}  // namespace salvo::fit
