#include "fit/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "fit/names.hpp"

namespace salvo::fit {
namespace {

ConstraintResult::Place place_of(const shooting::ShootingProblem& shooting, const shooting::PlannedConstraint& row) {
  const shooting::Grid& grid = shooting.grids()[row.chain];
  ConstraintResult::Place place{.experiment = shooting.problem().experiments[grid.experiment].id};
  if (row.node >= 0) place.time = grid.tau[row.node];
  return place;
}

bool has_places(const shooting::ShootingProblem& shooting, int constraint) {
  const compile::ConstraintKernel& kernel = shooting.model().constraints[constraint];
  return kernel.at_nodes || kernel.in_each_experiment;
}

}  // namespace

std::vector<ConstraintResult> constraint_results(const shooting::ShootingProblem& shooting,
                                                 const std::vector<int>& active_rows,
                                                 const std::vector<double>& multipliers) {
  std::vector<ConstraintResult> out;
  for (const model::Constraint& constraint : shooting.problem().constraints)
    out.push_back({.text = constraint.text, .is_equality = constraint.is_equality});
  for (const int row : active_rows) {
    const shooting::PlannedConstraint& planned = shooting.constraint_rows()[row];
    ConstraintResult& result = out[planned.constraint];
    result.active = true;
    if (has_places(shooting, planned.constraint)) result.places.push_back(place_of(shooting, planned));
    if (row < static_cast<int>(multipliers.size()) && std::abs(multipliers[row]) > std::abs(result.multiplier))
      result.multiplier = multipliers[row];
  }
  return out;
}

std::string in_words(const ConstraintResult::Place& place, bool several_experiments) {
  const std::string time = place.time ? fmt::format("at t = {:.5g}", *place.time) : "";
  if (!several_experiments) return time;
  return fmt::format("{}{}in experiment '{}'", time, time.empty() ? "" : " ", place.experiment);
}

std::vector<std::string> in_words(const shooting::ShootingProblem& shooting, const solve::Conflict& conflict) {
  constexpr std::size_t readable = 4;  // of more rows than that, the places are left out
  std::vector<std::string> words;
  for (const int row : conflict.rows) {
    const shooting::PlannedConstraint& planned = shooting.constraint_rows()[row];
    std::string text = fmt::format("'{}'", shooting.problem().constraints[planned.constraint].text);
    if (has_places(shooting, planned.constraint) && conflict.rows.size() <= readable) {
      const std::string where = in_words(place_of(shooting, planned), shooting.grids().size() > 1);
      if (!where.empty()) text += " " + where;
    }
    if (std::find(words.begin(), words.end(), text) == words.end()) words.push_back(std::move(text));
  }
  const std::vector<Quantity> all = quantities(shooting);
  for (const int theta : conflict.lower)
    words.push_back(fmt::format("the lower bound {} of {}", number_text(all[theta].estimated->lower), all[theta].id));
  for (const int theta : conflict.upper)
    words.push_back(fmt::format("the upper bound {} of {}", number_text(all[theta].estimated->upper), all[theta].id));
  return words;
}

}  // namespace salvo::fit
