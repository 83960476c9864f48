#pragma once

#include <string>
#include <vector>

#include "results/estimates.hpp"
#include "shooting/shooting_problem.hpp"
#include "solve/result.hpp"

namespace salvo::words {

// What contradicts each other, in words: "'a >= 2'", "the upper bound 1 of a".
std::vector<std::string> in_words(const shooting::ShootingProblem& shooting, const solve::Conflict& conflict);

// "at t = 3" where a constraint speaks of nodes, "in experiment 'low'" where there are several.
std::string in_words(const ConstraintResult::Place& place, bool several_experiments);

}  // namespace salvo::words
