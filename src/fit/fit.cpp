#include "fit/fit.hpp"

#include <chrono>
#include <cmath>

#include "fit/attempts.hpp"
#include "fit/message.hpp"
#include "fit/names.hpp"
#include "fit/predict.hpp"
#include "fit/setup.hpp"
#include "fit/summarize.hpp"
#include "integrate/integrator.hpp"

namespace salvo::fit {
namespace {

Status to_status(solve::Termination termination) {
  switch (termination) {
    case solve::Termination::converged: return Status::converged;
    case solve::Termination::max_iterations: return Status::max_iterations;
    case solve::Termination::max_time: return Status::max_time;
    case solve::Termination::interrupted: return Status::interrupted;
    case solve::Termination::infeasible: return Status::infeasible;
    case solve::Termination::stalled: return Status::stalled;
    case solve::Termination::numerical_failure: return Status::numerical_failure;
  }
  return Status::numerical_failure;
}

std::vector<TracePoint> to_trace(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved) {
  std::vector<TracePoint> trace;
  const std::size_t parameters = shooting.names().parameter.size();
  for (const solve::Iteration& iteration : solved.trace) {
    TracePoint point{iteration.iteration, iteration.objective, iteration.gap, iteration.step, iteration.multiplier, {}};
    for (std::size_t k = 0; k < parameters; ++k)
      point.p.push_back(
          model::from_scale(shooting::estimated_theta(shooting.problem(), shooting.names(), static_cast<int>(k)).scale,
                            iteration.theta[k]));
    trace.push_back(std::move(point));
  }
  return trace;
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged: return "converged";
    case Status::max_iterations: return "max_iterations";
    case Status::max_time: return "max_time";
    case Status::infeasible: return "infeasible";
    case Status::stalled: return "stalled";
    case Status::interrupted: return "interrupted";
    case Status::numerical_failure: return "numerical_failure";
  }
  return {};
}

FitResult fit(const model::Problem& problem, const Options& options, const RunContext& caller) {
  const auto begin = std::chrono::steady_clock::now();
  RunContext context = caller;
  if (options.max_seconds)
    context.deadline = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                   std::chrono::duration<double>(*options.max_seconds));
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
  summarize(setup, solved.q, result);
  result.message = message(setup, solved, result);

  const shooting::WorkCount& work = solution.work;
  result.work = {work.trajectories, work.tangents, work.adjoints, work.rhs,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
  result.start_arcs = sample_arcs(shooting, setup.start);
  result.solution_arcs = sample_arcs(shooting, solved.q);
  return result;
}

}  // namespace salvo::fit
