#include "fit/solution.hpp"

#include "estimate/quantities.hpp"
#include "estimate/starts/starts.hpp"
#include "fit/describe.hpp"

namespace salvo::fit {
namespace {

constexpr int most_continuations = 3;

RunContext within(const RunContext& caller, const std::optional<double>& seconds) {
  RunContext context = caller;
  if (seconds) context.stop_after(*seconds);
  return context;
}

}  // namespace

Run::Run(const model::Problem& problem, const estimate::Options& options, const RunContext& caller)
    : problem_(problem),
      options_(options),
      context_(within(caller, options.max_seconds)),
      refusal_(estimate::why_not(problem, options.guess)),
      watch_(context_) {}

FitResult Run::refused() const {
  return {.problem = problem_.file, .status = Status::numerical_failure, .message = refusal_};
}

Solution Run::solve() const {
  if (options_.starts <= 1) return {.answer = estimate::solve_from_guess(problem_, options_, nullptr, context_)};
  estimate::StartsResult all = estimate::solve_all(
      problem_, options_, estimate::spread_guesses(problem_, options_.starts, options_.seed), context_);
  if (!all.best)  // none was begun before the end
    return {estimate::solve_from_guess(problem_, options_, nullptr, context_), std::move(all.starts)};
  // A start that lies lower than all converged ones is worth more iterations than its share.
  for (int n = 0; n < most_continuations && !estimate::is_converged(*all.best) && !context_.should_stop(); ++n)
    all.best = estimate::continue_descent(std::move(*all.best), context_);
  const StartResult& first = all.starts.front();
  all.starts.front() =
      estimate::describe_start(*all.best, {first.guess.begin(), first.guess.end()}, first.start, first.seconds);
  return {std::move(*all.best), std::move(all.starts)};
}

estimate::Solved Run::solve_from(const std::map<std::string, double>& guess) const {
  estimate::Options from_there = options_;
  from_there.guess = guess;
  from_there.guess_from = estimate::GuessFrom::user;
  return estimate::solve_from_guess(problem_, from_there, nullptr, context_);
}

FitResult Run::describe(Solution solution) {
  watch_.let_describe_for(for_description);
  FitResult result = fit::describe(problem_, options_, std::move(solution.answer), begin_);
  if (!solution.starts.empty()) result.message += " " + estimate::about_starts(solution.starts);
  result.starts = std::move(solution.starts);
  return result;
}

}  // namespace salvo::fit
