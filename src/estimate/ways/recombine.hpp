#pragma once

#include <vector>

#include "base/run_context.hpp"
#include "shooting/shooting_problem.hpp"
#include "solve/result.hpp"

namespace salvo::estimate {

// Unknowns that act in the same experiments, as the linearisations at the ends of descents show.
std::vector<std::vector<int>> groups_that_act_alike(const nlp::Layout& layout,
                                                    const std::vector<solve::SolveResult>& ends);

// What is best for one experiment need not come from the descent that is best for another: groups of unknowns are taken
// over from other ends as long as the objective falls. The first end is where it begins; its own point if nothing
// falls.
nlp::Point recombined(const nlp::Problem& problem, const std::vector<solve::SolveResult>& ends,
                      const RunContext& context);

}  // namespace salvo::estimate
