#include "shooting/shooting_problem.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::shooting {

bool ShootingProblem::join(nlp::Point& q) const {
  std::vector<ExperimentValues> values;
  for (int c = 0; c < static_cast<int>(layout_.chains.size()); ++c) values.push_back(values_of(c, q, false));
  for (const PlannedInterval& interval : plan_.intervals) {  // chain by chain, from left to right
    const std::vector<double> s =
        interval.j == 0 ? values[interval.chain].s0 : node_state(interval.chain, interval.j, q);
    const Trajectory arc =
        trajectory(model(), options_.integrator, {interval.begin, grids_[interval.chain].experiment, interval.j == 0},
                   s, values[interval.chain].p, interval.stops, stop());
    if (!arc.ending.ok()) return false;
    if (interval.j == layout_.chains[interval.chain].links()) continue;  // no node follows
    put_node_state(interval.chain, interval.j + 1, std::span(arc.states.data).last(model().states), q);
  }
  return true;
}

}  // namespace salvo::shooting
