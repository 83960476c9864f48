#include "solve/method/frozen_phase.hpp"

#include <algorithm>
#include <utility>

#include "solve/step/steps.hpp"

namespace salvo::solve {

bool FrozenPhase::has_many_columns() const {
  const nlp::Layout& layout = problem_.layout();
  int most = 0;
  for (const nlp::Layout::Chain& chain : layout.chains)
    for (const int size : chain.size) most = std::max(most, size);
  return layout.thetas + most >= options_.rules.gauss_newton.many_columns;
}

bool FrozenPhase::is_within_bounds(const std::vector<double>& delta) const {
  const nlp::Layout& layout = problem_.layout();
  for (std::size_t i = 0; i < delta.size(); ++i)
    if (result_.q[i] + delta[i] < layout.lower[i] || result_.q[i] + delta[i] > layout.upper[i]) return false;
  return true;
}

bool FrozenPhase::converges(const nlp::Blocks& linearized, const std::vector<double>& sizes, const GapMultipliers& y,
                            std::vector<double> delta, bool roughly, int& k) {
  ++attempts_;
  FrozenSteps steps(problem_, request_, linearized, elimination_, y);
  std::vector<double> next_delta;
  for (; k <= options_.max_iterations && !context_.should_stop() && is_within_bounds(delta); ++k) {
    nlp::Point next = moved(problem_.layout(), result_.q, delta);
    const double length = largest(delta, sizes);
    if (length <= options_.tolerance) {
      nlp::Blocks at_end;
      if (!problem_.values(next, request_, at_end).ok || !is_closed(at_end, options_)) return false;
      result_.q = std::move(next);
      log_.note(k, at_end.objective, at_end.gap, length, largest(steps.multipliers()), "close", "frozen");
      return true;
    }
    if (!steps.take(next, next_delta).ok) return false;
    const double most =
        (std::exchange(roughly, false) ? 1 : options_.rules.gauss_newton.contraction) * norm(delta, sizes);
    if (norm(next_delta, sizes) > most) return false;
    result_.q = std::move(next);
    log_.note(k, steps.objective(), steps.gap(), length, largest(steps.multipliers()), "close", "frozen");
    std::swap(delta, next_delta);
  }
  return false;
}

}  // namespace salvo::solve
