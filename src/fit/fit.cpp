#include "fit/fit.hpp"

#include <chrono>
#include <cmath>

#include "fit/attempts.hpp"
#include "fit/bands.hpp"
#include "fit/film.hpp"
#include "fit/message.hpp"
#include "fit/names.hpp"
#include "fit/predict.hpp"
#include "fit/setup.hpp"
#include "fit/starts.hpp"
#include "fit/status.hpp"
#include "fit/summarize.hpp"
#include "integrate/integrator.hpp"

namespace salvo::fit {
namespace {

std::vector<TracePoint> to_trace(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved) {
  std::vector<TracePoint> trace;
  std::vector<std::size_t> shown;  // ten thousand weights in every iteration help nobody
  for (std::size_t k = 0; k < shooting.names().parameter.size(); ++k)
    if (!model::is_weight(shooting.problem(), shooting.names().parameter[k])) shown.push_back(k);
  for (const solve::Iteration& iteration : solved.trace) {
    TracePoint point{iteration.iteration, iteration.objective, iteration.gap, iteration.step, iteration.multiplier, {}};
    for (const std::size_t k : shown)
      point.p.push_back(
          model::from_scale(shooting::estimated_theta(shooting.problem(), shooting.names(), static_cast<int>(k)).scale,
                            iteration.theta[k]));
    trace.push_back(std::move(point));
  }
  return trace;
}

FitResult fit_one(const model::Problem& problem, const Options& options, const RunContext& context) {
  const auto begin = std::chrono::steady_clock::now();
  Solved solution = solve_from_guess(problem, options, nullptr, context);
  Setup& setup = solution.setup;
  if (!solution.remark.empty()) setup.problem->remarks.push_back(solution.remark);
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
  result.status = to_status(solved.termination);
  result.iterations = solved.iterations;
  result.objective = solved.objective;
  result.gap = solved.gap;
  result.trace = to_trace(shooting, solved);
  summarize(setup, solved, std::move(solution.predictions), result);
  result.message = message(setup, solved, result);

  const shooting::WorkCount& work = solution.work;
  result.work = {work.trajectories, work.tangents, work.adjoints, work.rhs,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
  result.start_arcs = sample_arcs(start_problem(setup), setup.start);
  result.solution_arcs = sample_arcs(shooting, solved.q);
  add_bands(shooting, solved.q, result.covariance_on_scale, result.solution_arcs);
  result.film = develop(setup, solved.film, options.threads);
  return result;
}

}  // namespace

FitResult fit(const model::Problem& problem, const Options& options, const RunContext& caller) {
  const auto begin = std::chrono::steady_clock::now();
  RunContext context = caller;
  if (options.max_seconds)
    context.deadline = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                   std::chrono::duration<double>(*options.max_seconds));
  if (options.starts <= 1) return fit_one(problem, options, context);

  const auto guesses = spread_guesses(problem, options.starts, options.seed);
  std::vector<StartResult> starts = solve_all(problem, options, guesses, context);
  // The best start is solved once more, for its trace, errors and pictures: the same numbers again.
  Options best = options;
  set_guess_of_start(best, guesses[starts.front().start], starts.front().start);
  FitResult result = fit_one(problem, best, {.interrupted = caller.interrupted, .deadline = context.deadline});
  result.message += " " + about_starts(starts);
  result.starts = std::move(starts);
  result.work.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace salvo::fit
