#pragma once

#include <vector>

#include "nlp/problem.hpp"
#include "shooting/shooting_problem.hpp"

// Nodes by themselves: few where the flow is tame, many where it stretches (docs/mathematics.md, section 12).
namespace salvo::shooting {

// The grid on which `auto` begins: the measured times, evenly thinned where they are many.
std::vector<Grid> first_grids(const model::Problem& problem, const Rules& rules = {});

// Intervals along which neighbouring trajectories part too fast are cut into pieces. `blocks` is the linearisation at
// q.
std::vector<Grid> split_where_it_stretches(const ShootingProblem& problem, const nlp::Point& q,
                                           const nlp::Blocks& blocks);

// Intervals along which the trajectory at q does not reach the next node are cut into quarters.
std::vector<Grid> split_where_it_fails(const ShootingProblem& problem, const nlp::Point& q);

// One interval is halved.
std::vector<Grid> halved(std::vector<Grid> grids, int chain, int interval);

// Nodes are dropped as long as, over the merged interval, neighbouring trajectories part at most tenfold and the
// trajectory stays near the values of the nodes it passes and meets the data. Where it does not, nodes help it there.
// An interval that makes up a part in `least` of its experiment is long enough.
std::vector<Grid> merged_where_tame(const ShootingProblem& problem, const nlp::Point& q, const nlp::Blocks& blocks,
                                    int least = 1);

// A point carried over to another grid: nodes that both grids have keep their values, new ones lie on the trajectories.
nlp::Point carried_over(const ShootingProblem& from, const nlp::Point& q, const ShootingProblem& to);

int count_nodes(const std::vector<Grid>& grids);

}  // namespace salvo::shooting
