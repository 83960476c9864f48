#include "fit/fit.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include "base/watch.hpp"
#include "fit/attempts.hpp"
#include "fit/bands.hpp"
#include "fit/errors.hpp"
#include "fit/film.hpp"
#include "fit/message.hpp"
#include "fit/names.hpp"
#include "fit/next_measurement.hpp"
#include "fit/predict.hpp"
#include "fit/profiles.hpp"
#include "fit/setup.hpp"
#include "fit/starts.hpp"
#include "fit/status.hpp"
#include "fit/summarize.hpp"
#include "integrate/integrator.hpp"

namespace salvo::fit {
namespace {

constexpr int most_continuations = 3;
// For errors, curves and bands, once a run had to stop; a second in all, with reading the clock and writing files.
constexpr std::chrono::milliseconds for_description{500};

std::vector<TracePoint> to_trace(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved) {
  std::vector<TracePoint> trace;
  std::vector<std::size_t> shown;  // ten thousand weights in every iteration help nobody
  for (std::size_t k = 0; k < shooting.names().parameter.size(); ++k)
    if (!model::is_weight(shooting.problem(), shooting.names().parameter[k])) shown.push_back(k);
  for (const solve::Iteration& iteration : solved.trace) {
    TracePoint point{iteration.iteration,
                     iteration.objective,
                     iteration.gap,
                     iteration.step,
                     iteration.multiplier,
                     std::string(iteration.phase),
                     std::string(iteration.rule),
                     {}};
    for (const std::size_t k : shown)
      point.p.push_back(
          model::from_scale(shooting::estimated_theta(shooting.problem(), shooting.names(), static_cast<int>(k)).scale,
                            iteration.theta[k]));
    trace.push_back(std::move(point));
  }
  return trace;
}

// Of a point at which no solver has stood: torn, unless it can be seen to be joined.
double gap_at(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved) {
  nlp::Blocks blocks;
  const bool is_known = is_point_of(shooting, solved.q) && shooting.values(solved.q, solved.request, blocks).ok;
  return is_known ? blocks.gap : std::numeric_limits<double>::infinity();
}

FitResult describe(const model::Problem& problem, const Options& options, Solved solution,
                   std::chrono::steady_clock::time_point begin) {
  Setup& setup = solution.setup;
  if (!solution.predictions.ok && is_point_of(*setup.shooting, solution.result.q))  // the run had to stop first
    solution.predictions = predict_all(*setup.shooting, solution.result.q, solution.result.request);
  if (solution.result.trace.empty()) solution.result.gap = gap_at(*setup.shooting, solution.result);
  if (!solution.remark.empty()) setup.remarks.push_back(solution.remark);
  const solve::SolveResult& solved = solution.result;
  const shooting::ShootingProblem& shooting = *setup.shooting;

  FitResult result;
  result.problem = problem.file;
  const Choices choices = choices_of(setup);
  result.method = choices.method;
  result.derivatives = choices.derivatives;
  result.integrator = choices.integrator;
  result.nodes = choices.nodes;
  result.measurements = static_cast<int>(problem.measurements.size());
  result.status = to_status(solved);
  result.iterations = solved.iterations;
  result.objective = solved.objective;
  result.gap = solved.gap;
  result.certificate = solution.certificate;
  result.trace = to_trace(shooting, solved);
  summarize(setup, solved, std::move(solution.predictions), result);
  result.message = message(setup, solved, result);

  const shooting::WorkCount& work = solution.work;
  result.work = {work.trajectories, work.tangents, work.adjoints, work.rhs,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
  result.start_arcs = sample_arcs(start_problem(setup), setup.start);
  result.solution_arcs = sample_arcs(shooting, solved.q);
  add_bands(shooting, solved.q, result);
  if (result.no_errors.empty())
    result.next_measurement = next_measurement(
        shooting, setup.compiled, solved.q,
        errors_of(shooting, solved, {.full_rank = has_full_rank(result.certificate, result.certificate_ids.size())}));
  result.film = develop(setup, solved.film, options.threads);
  return result;
}

// The answer with its profiles; where following them leads to a better one, that with its own.
FitResult with_profiles(const model::Problem& problem, const Options& options, Solved solution,
                        const RunContext& context, Watch& watch, std::chrono::steady_clock::time_point begin) {
  constexpr int most_restarts = 3;
  std::string remark;
  for (int n = 0; options.profiles && n <= most_restarts && is_converged(solution); ++n) {
    ProfilesOutcome outcome = follow_profiles(solution, *options.profiles, options.threads, context);
    if (outcome.better.empty() || n == most_restarts) {
      if (!outcome.trouble.empty()) remark += " No profiles: " + outcome.trouble + ".";
      watch.let_describe_for(for_description);
      FitResult result = describe(problem, options, std::move(solution), begin);
      result.message += remark;
      if (outcome.trouble.empty()) result.profiles = std::move(outcome.profiles);
      return result;
    }
    remark = " Following the profiles led to a better fit, which is this one.";
    Options from_there = options;
    from_there.guess = outcome.better;
    from_there.guess_from = GuessFrom::user;
    solution = solve_from_guess(problem, from_there, nullptr, context);
  }
  watch.let_describe_for(for_description);
  FitResult result = describe(problem, options, std::move(solution), begin);
  if (options.profiles) result.message += " No profiles are followed, because the fit has not converged.";
  return result;
}

}  // namespace

FitResult fit(const model::Problem& problem, const Options& options, const RunContext& caller) {
  const auto begin = std::chrono::steady_clock::now();
  RunContext context = caller;
  if (options.max_seconds) context.stop_after(*options.max_seconds);
  if (const std::string refusal = why_not(problem, options.guess); !refusal.empty())
    return {.problem = problem.file, .status = Status::numerical_failure, .message = refusal};
  Watch watch(context);
  if (options.starts <= 1)
    return with_profiles(problem, options, solve_from_guess(problem, options, nullptr, context), context, watch, begin);
  StartsResult all = solve_all(problem, options, spread_guesses(problem, options.starts, options.seed), context);
  if (!all.best) {  // none was begun before the end
    all.best = solve_from_guess(problem, options, nullptr, context);
    watch.let_describe_for(for_description);
    FitResult result = describe(problem, options, std::move(*all.best), begin);
    result.starts = std::move(all.starts);
    return result;
  }
  // A start that lies lower than all converged ones is worth more iterations than its share.
  for (int n = 0; n < most_continuations && !is_converged(*all.best) && !context.should_stop(); ++n)
    all.best = continue_descent(std::move(*all.best), context);
  const StartResult& first = all.starts.front();
  all.starts.front() = describe_start(*all.best, {first.guess.begin(), first.guess.end()}, first.start, first.seconds);
  FitResult result = with_profiles(problem, options, std::move(*all.best), context, watch, begin);
  result.message += " " + about_starts(all.starts);
  result.starts = std::move(all.starts);
  return result;
}

}  // namespace salvo::fit
