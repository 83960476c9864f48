#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/issue.hpp"
#include "model/problem.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::estimate {

// One estimated quantity and the words for it, in the order of statistics::Uncertainty: theta, then v_0 of each chain.
struct Quantity {
  std::string id{};          // "p1", "x1", or "low:x1" where there are several experiments
  std::string name{};        // without the experiment
  std::string experiment{};  // of an initial value
  const model::Estimated* estimated = nullptr;
  int unknown = 0;  // index in q
  int state = -1;   // of an initial value
};
std::vector<Quantity> quantities(const shooting::ShootingProblem& shooting);

// "x1", or "low:x1" where there are several experiments.
std::string initial_id(const model::Problem& problem, int experiment, int state);

// Puts guesses into the problem, by id. Names must exist (check_names).
void set_guesses(model::Problem& problem, const std::map<std::string, double>& values);

// Why nothing can be computed: what is missing in a problem that was filled by hand, or names that it does not have.
// Empty if nothing is in the way.
std::string why_not(const model::Problem& problem, const std::map<std::string, double>& values);

// Makes parameters or initial values constants ("x1": in every experiment, "experiment:x1": in one).
// An Issue for each name that the problem does not have.
Issues fix_values(model::Problem& problem, const std::vector<std::pair<std::string, double>>& values);

// Those of the names that stand for nothing in the problem.
std::set<std::string> unknown_names(const model::Problem& problem, const std::map<std::string, double>& values);

// Checks that every name in a list of guesses exists; Issues if not.
Issues check_names(const model::Problem& problem, const std::map<std::string, double>& values);

}  // namespace salvo::estimate
