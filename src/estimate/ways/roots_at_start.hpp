#pragma once

#include <string>
#include <vector>

#include "shooting/shooting_problem.hpp"

namespace salvo::estimate {

// An algebraic variable that no formula gives, where an experiment begins.
struct RootAtStart {
  std::string variable{};
  std::string experiment{};  // empty where there is only one
  double near = 0;           // where it was looked for
  double value = 0;          // what was found
  double condition = 0;      // of g_z there
};

// At this point; an experiment that cannot begin has none.
std::vector<RootAtStart> roots_at_start(const shooting::ShootingProblem& problem, const nlp::Point& q);

// "the algebraic variable C begins at 2.781, looked for near 5", of those that are somewhere else.
std::vector<std::string> remarks_on_roots(const std::vector<RootAtStart>& roots);

}  // namespace salvo::estimate
