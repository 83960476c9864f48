#include "fit/descents.hpp"

#include <algorithm>
#include <vector>

#include "solve/method/descent.hpp"

namespace salvo::fit {

void append(solve::SolveResult& total, solve::SolveResult next) {
  if (next.trace.empty()) {  // it failed where it began: nothing new was reached
    next.objective = total.objective;
    next.gap = total.gap;
    next.violation = total.violation;
  }
  for (solve::Iteration& iteration : next.trace) {
    if (!total.trace.empty() && iteration.iteration == 0) continue;
    iteration.iteration += total.iterations;
    total.trace.push_back(std::move(iteration));
  }
  total.film.append(std::move(next.film), total.iterations);
  next.film = std::move(total.film);
  next.iterations += total.iterations;
  next.trace = std::move(total.trace);
  total = std::move(next);
}

solve::SolveResult descend_precisely(const Setup& setup, const nlp::Point& start, const RunContext& context,
                                     const PreciseDescent& known) {
  std::vector<double> smoothings{0};
  if (has_corner(*setup.problem)) smoothings = {1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, last_smoothing};
  solve::SolveResult total;
  nlp::Point q = start;
  bool stiff = known.stiff;
  for (const double smoothing : smoothings) {
    solve::SolveOptions options = setup.solve;
    options.phase = "precise";
    options.enough = options.rules.descent.enough;
    solve::DescentRules& rules = options.rules.descent;
    rules.first_radius = rules.longest_radius;  // whoever gives a guess expects a full step from it
    options.asks_before_end = known.is_refused;
    options.request.stiff = options.request.stiff || stiff;
    options.request.smoothing = smoothing;
    // Towards a corner steps are as short as the way that is left, while as much as ever is to be gained.
    if (smoothing > 0) options.tolerance *= std::min(smoothing, 1.0);
    solve::SolveResult next = solve::descend(*setup.shooting, q, options, context);
    if (next.trace.empty() && !total.trace.empty()) break;
    append(total, std::move(next));
    q = total.q;
    stiff = total.request.stiff;
    if (total.trace.empty() || context.should_stop()) break;
  }
  return total;
}

}  // namespace salvo::fit
