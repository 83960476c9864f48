#include "fit/describe.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "estimate/answer/predictions.hpp"
#include "estimate/answer/standing.hpp"
#include "estimate/estimate.hpp"
#include "pictures/film.hpp"
#include "pictures/forecast.hpp"
#include "pictures/sample.hpp"
#include "shooting/nodes.hpp"
#include "uncertainty/bands.hpp"
#include "uncertainty/derived.hpp"
#include "uncertainty/intervals.hpp"
#include "uncertainty/next_measurement.hpp"
#include "uncertainty/summarize.hpp"
#include "words/alternatives.hpp"
#include "words/message.hpp"

namespace salvo::fit {
namespace {

std::vector<TracePoint> to_trace(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved) {
  std::vector<TracePoint> trace;
  std::vector<std::size_t> shown;  // ten thousand weights in every iteration help nobody
  for (std::size_t k = 0; k < shooting.names().parameter.size(); ++k)
    if (!model::is_weight(shooting.problem(), shooting.names().parameter[k])) shown.push_back(k);
  for (const solve::Iteration& iteration : solved.trace) {
    TracePoint point{iteration.iteration,  iteration.objective, iteration.gap,  iteration.step,
                     iteration.multiplier, iteration.phase,     iteration.rule, {}};
    for (const std::size_t k : shown)
      point.p.push_back(
          model::from_scale(shooting::estimated_theta(shooting.problem(), shooting.names(), static_cast<int>(k)).scale,
                            iteration.theta[k]));
    trace.push_back(std::move(point));
  }
  return trace;
}

// A point at which no solver has stood is torn, unless it can be seen to be joined.
double gap_at(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved) {
  nlp::Blocks blocks;
  const bool is_known =
      estimate::is_point_of(shooting, solved.q) && shooting.values(solved.q, solved.request, blocks).ok;
  return is_known ? blocks.gap : std::numeric_limits<double>::infinity();
}

// The curves of the answer and their bands, beyond the last measurement where that is wanted. A trajectory that fails
// there has no bands: then they end with the data, and a sentence says so.
std::string draw_solution(const shooting::ShootingProblem& shooting, const nlp::Point& q, FitResult& result) {
  const std::vector<shooting::Grid> longer = pictures::with_forecast(shooting.problem(), shooting.grids());
  const bool is_longer = shooting::count_nodes(longer) > shooting::count_nodes(shooting.grids());
  const auto has_bands = [&] {
    return std::any_of(result.solution_arcs.begin(), result.solution_arcs.end(),
                       [](const Arc& arc) { return arc.band.lower.cols > 0; });
  };
  if (is_longer) {
    const auto drawn = shooting.on(longer);
    const nlp::Point there = shooting::carried_over(shooting, q, *drawn);
    result.solution_arcs = pictures::sample_arcs(*drawn, there);
    uncertainty::add_bands(*drawn, there, result);
    if (has_bands()) return {};
  }
  const std::vector<Arc> forecast = std::exchange(result.solution_arcs, pictures::sample_arcs(shooting, q));
  uncertainty::add_bands(shooting, q, result);
  if (!is_longer) return {};
  if (has_bands()) return " Beyond the last measurement the trajectory fails, so that nothing is predicted there.";
  result.solution_arcs = forecast;
  return {};
}

}  // namespace

FitResult describe(estimate::Estimation estimation, std::chrono::steady_clock::time_point begin,
                   const uncertainty::IntervalsOutcome& intervals) {
  const estimate::Workspace& workspace = *estimation.workspace;
  estimate::Answer& answer = estimation.best.answer;
  const shooting::ShootingProblem& shooting = *estimation.best.shooting;
  if (!answer.predictions.ok && estimate::is_point_of(shooting, answer.run.q))  // the run had to stop first
    answer.predictions = estimate::predict_all(shooting, answer.run.q, answer.run.request);
  if (answer.run.trace.empty()) answer.run.gap = gap_at(shooting, answer.run);
  const solve::SolveResult& run = answer.run;

  FitResult result;
  result.problem = workspace.problem().file;
  result.method = answer.method;
  result.derivatives = answer.derivatives;
  result.integrator = answer.integrator;
  result.nodes = count_nodes(answer.grids);
  result.measurements = static_cast<int>(workspace.problem().measurements.size());
  result.status = estimate::status_of(answer.standing, run.ended);
  result.ended = std::string(solve::to_string(run.ended));
  result.iterations = run.iterations;
  result.objective = run.objective;
  result.gap = run.gap;
  result.is_torn = run.gap > workspace.rules().solve.gaps.joined;
  result.certificate = answer.certificate;
  result.trace = to_trace(shooting, run);
  const shooting::WorkCount& work = answer.work;
  const uncertainty::Errors errors = uncertainty::summarize(shooting, answer, result);
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  uncertainty::take_intervals(all, intervals, result);
  const std::string about_derived = uncertainty::add_derived(shooting, run.q, errors, intervals, result);
  result.alternatives = words::alternatives(estimation, result);
  result.message = words::message(estimation, result) + uncertainty::about_limits(all, intervals) + about_derived;
  result.work = {work.trajectories, work.tangents, work.adjoints, work.rhs,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
  result.start_arcs = pictures::sample_arcs(*shooting.on(answer.start.grids), answer.start.q);
  result.message += draw_solution(shooting, run.q, result);
  if (errors.known)
    result.next_measurement = uncertainty::next_measurement(shooting, workspace.compiled(), run.q, errors);
  result.film = pictures::develop(shooting, answer, workspace.options().threads);
  return result;
}

}  // namespace salvo::fit
