#include "words/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "estimate/answer/constraints.hpp"
#include "estimate/quantities.hpp"

namespace salvo::words {

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
    if (estimate::has_places(shooting, planned.constraint) && conflict.rows.size() <= readable) {
      const std::string where = in_words(estimate::place_of(shooting, planned), shooting.grids().size() > 1);
      if (!where.empty()) text += " " + where;
    }
    if (std::find(words.begin(), words.end(), text) == words.end()) words.push_back(std::move(text));
  }
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  for (const int theta : conflict.lower)
    words.push_back(fmt::format("the lower bound {} of {}", number_text(all[theta].estimated->lower), all[theta].id));
  for (const int theta : conflict.upper)
    words.push_back(fmt::format("the upper bound {} of {}", number_text(all[theta].estimated->upper), all[theta].id));
  return words;
}

}  // namespace salvo::words
