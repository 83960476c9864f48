#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "estimate/plan/facts.hpp"
#include "estimate/rules.hpp"

namespace salvo::estimate {

struct Way;

// When a way is tried.
enum class Tried {
  while_unsettled,  // no answer is proved, credible and without doubt
  once_if_settled,  // once at least in a fit of its own, since minima that differ in the order of events are all
                    // credible; again while nothing is settled
  if_flat,          // the answer stands where the data do not see all of it
  if_proved         // whatever the answer, if it is proved and the fit is not one of many
};

struct StrategyStep {
  const Way* way = nullptr;
  double until = 1;  // mark on the account up to which it may go, with all that was spent before it
  double most = 1;   // of the account, by the way itself
  int rounds = 1;
  Tried tried = Tried::while_unsettled;
};

// Of all rows the first one holds whose facts are all given.
struct StrategyRow {
  std::string_view name{};
  std::vector<Fact> when{};
  std::vector<StrategyStep> ways{};
};
using Strategy = std::vector<StrategyRow>;

// The table (docs/what-fit-does.md shows it).
Strategy strategy(const Rules& rules);
std::string to_markdown(const Strategy& strategy);

const StrategyRow& row_for(const Strategy& strategy, const std::vector<Fact>& facts);

}  // namespace salvo::estimate
