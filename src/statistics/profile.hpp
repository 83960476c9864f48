#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "nlp/problem.hpp"
#include "statistics/rules.hpp"

namespace salvo::statistics {

// The profile of a number c(q): PL(c) = min objective subject to c(q) = c, followed from the optimum outwards
// (docs/mathematics.md, section 20).
struct ProfilePoint {
  double value = 0;      // c
  double objective = 0;  // PL(c)
  double slope = 0;      // PL'(c)
  nlp::Point q{};
};

enum class PathEnd { level, bound, flat, lower, failed, stopped };

struct ProfilePath {
  std::vector<ProfilePoint> points{};  // outwards, without the optimum; the last one is the end
  PathEnd end = PathEnd::failed;
  std::string trouble{};  // of a path that failed
};

// The best point at c, or near it, from a start close by; if there is none, what stood in the way.
struct HeldPoint {
  std::optional<ProfilePoint> point{};
  double start_objective = std::numeric_limits<double>::infinity();
  std::string trouble{};
};
using HeldSolver = std::function<HeldPoint(double value, const nlp::Point& start)>;

struct ProfileTask {
  int direction = 1;                                          // 1: up, -1: down
  ProfilePoint optimum{};                                     // its slope is not zero where it stands at a bound
  std::vector<double> tangent{};                              // d q / d c along the path at the optimum; empty: unknown
  double error = 0;                                           // standard error of c; 0: unknown
  double size = 1;                                            // typical size of c
  double bound = std::numeric_limits<double>::infinity();     // beyond which it is not followed, with its sign
  double farthest = std::numeric_limits<double>::infinity();  // distance at which a path counts as flat
  bool is_value = false;           // c is no logarithm: its sign and its ratios mean something
  double usual = 0;                // where it is one: a size that is usual to the user; 0: unknown
  std::vector<bool> are_values{};  // the same of every unknown; empty: none is known to be
  double level = 0;                // rise of the objective at which an interval ends
};

// Outwards from the optimum; or from a point that is known already on this side of it, which may lie beyond the end.
ProfilePath follow_profile(const ProfileTask& task, const HeldSolver& solver, const ProfileRules& rules,
                           const RunContext& context, const ProfilePoint* known = nullptr);

// The best points of the valleys that a path goes through on its way outwards, where these lie below the level.
std::vector<nlp::Point> valleys_along(const ProfilePath& path, const ProfileTask& task, const ProfileRules& rules = {});

// A path that has ended at the level may end there because it stays in its valley. Where the end is lower in another
// one, it goes on from there.
ProfilePath go_on_in_valleys(ProfilePath path, const std::vector<nlp::Point>& valleys, const ProfileTask& task,
                             const HeldSolver& solver, const ProfileRules& rules, const RunContext& context);

}  // namespace salvo::statistics
