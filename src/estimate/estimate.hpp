#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/run_context.hpp"
#include "estimate/answer/candidates.hpp"
#include "estimate/plan/plan.hpp"

namespace salvo::estimate {

// A way that was tried, and what it came to.
struct TriedWay {
  const Way* way = nullptr;
  bool is_proved = false;
  bool is_best = false;  // of all so far, when it ended
};

// What an estimate has come to. The workspace is what the answer refers to.
struct Estimation {
  std::unique_ptr<Workspace> workspace{};
  Plan plan{};
  Found best{};
  std::string rule{};                 // by which it is the best
  std::vector<OtherAnswer> others{};  // that fit as well
  std::vector<Answer> proved{};       // all that are, besides the best
  std::vector<TriedWay> tried{};
  bool is_credible = true;         // its residuals are those of the stated noise, as far as that is known
  int refinements = 0;             // of the integrator, on the way
  Workspace::Accounts found_at{};  // when the best was found
};

// What fits of the same model hand on to each other.
struct Reused {
  std::shared_ptr<const compile::CompiledModel> compiled{};
  Memory memory{};
  std::optional<Plan> plan{};  // for problems that differ in the values of their data alone
  Helpers* helpers =
      nullptr;  // processes that know the problem and compute parts of its evaluations; null: there are none
};

// Tries the ways of the plan one after the other, each with its share of one account, until an answer is proved,
// credible and without doubt. Doubt is a reason to look further, never to discard: the answer in hand stays unless
// another is better (answer/comparison.hpp). The problem must outlive what is returned. Where the context has a keeper,
// the estimate goes on from what that has kept, and is kept on its way (kept.hpp).
Estimation estimate(const model::Problem& problem, const Options& options, const RunContext& context,
                    const Reused& reused = {});
Estimation estimate(const model::Problem& problem, const Options& options, const RunContext& context,
                    const Reused& reused, const Strategy& strategy);

}  // namespace salvo::estimate
