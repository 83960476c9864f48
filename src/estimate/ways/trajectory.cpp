#include "estimate/ways/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "estimate/ways/found.hpp"
#include "estimate/ways/resume.hpp"
#include "solve/method/descent.hpp"
#include "solve/step/noise_step.hpp"

namespace salvo::estimate {

void append(solve::SolveResult& total, solve::SolveResult next) {
  if (total.trace.empty()) {  // nothing was reached before it
    total = std::move(next);
    return;
  }
  if (next.trace.empty()) {  // it failed where it began: nothing new was reached
    next.objective = total.objective;
    next.gap = total.gap;
    next.violation = total.violation;
  }
  for (solve::Iteration& iteration : next.trace) {
    if (iteration.iteration == 0) continue;
    iteration.iteration += total.iterations;
    total.trace.push_back(std::move(iteration));
  }
  total.film.append(std::move(next.film), total.iterations);
  next.film = std::move(total.film);
  next.iterations += total.iterations;
  next.trace = std::move(total.trace);
  total = std::move(next);
}

std::vector<double> smoothings(const model::Problem& problem, const SmoothingRules& rules, double last) {
  if (!has_corner(problem)) return {0};
  std::vector<double> all;
  for (double eps = 1; eps > 2 * last; eps *= rules.factor) all.push_back(eps);
  all.push_back(last);
  return all;
}

solve::SolveResult descend_roughly(const Setup& setup, nlp::Point start, bool stiff, const RunContext& context) {
  solve::SolveOptions options = setup.solve;
  options.phase = "search";
  options.request = {.accuracy = setup.rules().rough.accuracy, .stiff = stiff, .smoothing = 1};
  options.rules.descent.patience = 0;
  options.max_iterations = setup.rules().search.search_iterations;
  options.enough = setup.rules().answer.nearly_proved;
  solve::adapt_noise(*setup.shooting, options.request, options.rules.gauss_newton.short_step, start);
  return solve::descend(*setup.shooting, start, options, context);
}

solve::SolveResult descend_precisely(const Setup& setup, const nlp::Point& start, const RunContext& context,
                                     const PreciseDescent& known) {
  const SmoothingRules& corner = setup.rules().smoothing;
  solve::SolveResult total;
  nlp::Point q = start;
  bool stiff = known.stiff;
  for (const double smoothing : smoothings(setup.problem(), corner, corner.last)) {
    solve::SolveOptions options = setup.solve;
    options.phase = "precise";
    options.enough = options.rules.descent.enough;
    solve::DescentRules& rules = options.rules.descent;
    rules.first_radius = rules.longest_radius;  // whoever gives a guess expects a full step from it
    options.asks_before_end = known.is_refused;
    options.request.stiff = options.request.stiff || stiff;
    options.request.smoothing = smoothing;
    options.keeper = known.keeper;
    // Towards a corner steps are as short as the way that is left, while as much as ever is to be gained.
    if (smoothing > 0) options.tolerance *= std::min(smoothing, 1.0);
    solve::SolveResult next = known.stopped != nullptr
                                  ? solve::descend(*setup.shooting, *known.stopped, options, context)
                                  : solve::descend(*setup.shooting, q, options, context);
    if (next.trace.empty() && !total.trace.empty()) break;
    append(total, std::move(next));
    q = total.q;
    stiff = total.request.stiff;
    if (total.trace.empty() || context.should_stop()) break;
  }
  return total;
}

namespace {

std::vector<Found> follow_one_trajectory(const WayTask& task) {
  const StoppedRun* stopped = stopped_run(task);
  Setup setup = setup_of(task);
  task.context.tell_detail([&] {
    return fmt::format("method gauss-newton by single shooting, integrator {}", choices_of(setup).integrator);
  });
  const auto whole = [&](solve::SolveResult part) {
    return stopped ? whole_of(stopped->last, std::move(part)) : std::move(part);
  };
  PartKeeper keeper(setup, [&](const solve::SolveResult& part) { return StoppedRun{.last = whole(part)}; });
  solve::SolveResult run = whole(descend_precisely(
      setup, setup.start, task.context,
      {.stopped = stopped ? &stopped->last.state : nullptr, .keeper = keeper.for_run(stopped != nullptr)}));
  if (can_go_on(setup, run)) setup.stopped = StoppedRun{.last = run};
  std::vector<Found> out;
  out.push_back(found(task, std::move(setup), std::move(run)));
  return out;
}

}  // namespace

const Way trajectory{
    .name = "trajectory", .says = "single shooting from the guess", .is_unbroken = true, .run = follow_one_trajectory};

}  // namespace salvo::estimate
