#pragma once

#include <string>
#include <vector>

#include "fit/result.hpp"
#include "shooting/shooting_problem.hpp"
#include "solve/result.hpp"

namespace salvo::fit {

// Each constraint of the problem, with the rows of it that are active.
std::vector<ConstraintResult> constraint_results(const shooting::ShootingProblem& shooting,
                                                 const std::vector<int>& active_rows,
                                                 const std::vector<double>& multipliers);

// What contradicts each other, in words: "'a >= 2'", "the upper bound 1 of a".
std::vector<std::string> in_words(const shooting::ShootingProblem& shooting, const solve::Conflict& conflict);

// "at t = 3" where a constraint speaks of nodes, "in experiment 'low'" where there are several.
std::string in_words(const ConstraintResult::Place& place, bool several_experiments);

}  // namespace salvo::fit
