#include "fit/describe.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include "estimate/estimate.hpp"
#include "uncertainty/bands.hpp"
#include "uncertainty/errors.hpp"
#include "pictures/film.hpp"
#include "pictures/sample.hpp"
#include "words/message.hpp"
#include "uncertainty/next_measurement.hpp"
#include "estimate/answer/predictions.hpp"
#include "estimate/ways/setup.hpp"
#include "estimate/answer/standing.hpp"
#include "uncertainty/summarize.hpp"

namespace salvo::fit {
namespace {

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
  const bool is_known = estimate::is_point_of(shooting, solved.q) && shooting.values(solved.q, solved.request, blocks).ok;
  return is_known ? blocks.gap : std::numeric_limits<double>::infinity();
}

}  // namespace

FitResult describe(const model::Problem& problem, const Options& options, estimate::Solved solution,
                   std::chrono::steady_clock::time_point begin) {
  estimate::Setup& setup = solution.setup;
  if (!solution.predictions.ok && estimate::is_point_of(*setup.shooting, solution.result.q))  // the run had to stop first
    solution.predictions = estimate::predict_all(*setup.shooting, solution.result.q, solution.result.request);
  if (solution.result.trace.empty()) solution.result.gap = gap_at(*setup.shooting, solution.result);
  if (!solution.remark.empty()) setup.remarks.push_back(solution.remark);
  const solve::SolveResult& solved = solution.result;
  const shooting::ShootingProblem& shooting = *setup.shooting;

  FitResult result;
  result.problem = problem.file;
  const estimate::Choices choices = estimate::choices_of(setup);
  result.method = choices.method;
  result.derivatives = choices.derivatives;
  result.integrator = choices.integrator;
  result.nodes = choices.nodes;
  result.measurements = static_cast<int>(problem.measurements.size());
  result.status = estimate::to_status(solved.termination);
  result.iterations = solved.iterations;
  result.objective = solved.objective;
  result.gap = solved.gap;
  result.certificate = solution.certificate;
  result.trace = to_trace(shooting, solved);
  uncertainty::summarize(setup, solved, std::move(solution.predictions), result);
  result.message = words::message(setup, solved, result);

  const shooting::WorkCount& work = solution.work;
  result.work = {work.trajectories, work.tangents, work.adjoints, work.rhs,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
  result.start_arcs = pictures::sample_arcs(estimate::start_problem(setup), setup.start);
  result.solution_arcs = pictures::sample_arcs(shooting, solved.q);
  uncertainty::add_bands(shooting, solved.q, result);
  if (result.no_errors.empty())
    result.next_measurement = uncertainty::next_measurement(
        shooting, setup.compiled, solved.q,
        uncertainty::errors_of(shooting, solved, {.full_rank = uncertainty::has_full_rank(result.certificate, result.certificate_ids.size())}));
  result.film = pictures::develop(setup, solved.film, options.threads);
  return result;
}

}  // namespace salvo::fit
