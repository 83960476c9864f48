#pragma once

#include <optional>
#include <string>
#include <vector>

#include "estimate/answer/write.hpp"
#include "estimate/estimate.hpp"

// An estimate as values that can be written down: how far it has come, and what it has come to. Whoever goes on from
// them gets the bits of an estimate that was never cut off.
namespace salvo::estimate {

// An answer, what was computed of it that later decisions pay for, and where the accounts stood when it was found: what
// follows from its point is found again by the same code.
struct KeptAnswer {
  Answer answer{};
  std::optional<double> motion{};
  Workspace::Accounts found_at{};
};
struct KeptWay {
  int way = 0;  // of the plan
  bool is_proved = false;
  bool is_best = false;
};

// Between two ways, or within one that can be gone on with.
struct EstimateState {
  int refinements = 0;  // of the integrator, before
  int way = 0;          // of the plan, and its round: what comes next, or is under way
  int round = 0;
  std::vector<KeptAnswer> answers{};
  std::vector<KeptWay> tried{};
  std::string random{};
  Workspace::Accounts accounts{};
  std::optional<Answer> under_way{};  // the way, as it was stopped
};
std::string write(const EstimateState& state);
// Nothing where it is none of this problem's.
std::optional<EstimateState> read_state(const std::string& text, const model::Problem& problem);

// An estimate that has come to its end.
struct KeptEstimation {
  int refinements = 0;
  KeptAnswer best{};
  std::string rule{};
  std::vector<OtherAnswer> others{};
  std::vector<Answer> proved{};
  std::vector<KeptWay> tried{};
  bool is_credible = true;
  Workspace::Accounts accounts{};
};
KeptEstimation kept(const Estimation& estimation);
Estimation restored(const model::Problem& problem, const Options& options, const KeptEstimation& kept,
                    const Reused& reused, const StopFlag* stop);

// An answer of a workspace that knows nothing of it, found again by the code that found it.
Found found_again(const Workspace& workspace, const KeptAnswer& kept);
// The options with the integrator so many times refined; nothing where it cannot be.
std::optional<Options> refined(const model::Problem& problem, Options options, int refinements);
std::vector<KeptWay> kept_ways(const std::vector<TriedWay>& tried, const Plan& plan);
std::vector<TriedWay> ways_of(const std::vector<KeptWay>& kept, const Plan& plan);

}  // namespace salvo::estimate

template <>
struct salvo::Parts<salvo::estimate::Workspace::Accounts> {
  static auto of(auto& accounts) {
    return std::tie(accounts.spent, accounts.work, accounts.is_interpreted, accounts.has_interpreted);
  }
};
template <>
struct salvo::Parts<salvo::estimate::KeptAnswer> {
  static auto of(auto& kept) { return std::tie(kept.answer, kept.motion, kept.found_at); }
};
template <>
struct salvo::Parts<salvo::estimate::KeptWay> {
  static auto of(auto& kept) { return std::tie(kept.way, kept.is_proved, kept.is_best); }
};
template <>
struct salvo::Parts<salvo::estimate::OtherAnswer> {
  static auto of(auto& other) { return std::tie(other.estimates, other.objective, other.motion, other.mirrored); }
};
template <>
struct salvo::Parts<salvo::estimate::KeptEstimation> {
  static auto of(auto& kept) {
    return std::tie(kept.refinements, kept.best, kept.rule, kept.others, kept.proved, kept.tried, kept.is_credible,
                    kept.accounts);
  }
};
