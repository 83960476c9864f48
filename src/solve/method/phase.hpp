#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/contract.hpp"
#include "base/run_context.hpp"
#include "solve/accept/verdict.hpp"
#include "solve/result.hpp"
#include "solve/state/state.hpp"

namespace salvo::solve {

// What a run was given; all of it outlives the run.
struct Given {
  const nlp::Problem& problem;
  const SolveOptions& options;
  const RunContext& context;
  const nlp::Layout& layout = problem.layout();
};

// What is evaluated at the end of a step.
enum class Asks { values, derivatives, gradient, hessian };

// A phase that has no step to propose: what follows, or that the run ends.
struct Leave {
  PhaseName to = PhaseName::start;
  std::optional<Ending> ending{};
};

// A step from the point of a state; or that the phase is left.
struct Proposal {
  std::vector<double> delta{};  // empty: the point stays
  double predicted = 0;         // fall of what the phase judges by
  double length = 0;            // scaled
  double fraction = 1;          // of delta that is gone
  bool is_last = false;         // as short as was asked for
  bool at_radius = false;       // a larger radius would give a longer step
  Asks asks = Asks::values;
  std::optional<Leave> leave{};
};

// Whether derivatives belong to the point that a step leads to.
inline bool is_linearised_after(const Proposal& proposal) {
  return proposal.asks == Asks::values || proposal.asks == Asks::derivatives;
}

inline Proposal leaving_to(PhaseName next) { return {.leave = Leave{.to = next}}; }
inline Proposal ending_with(Ending ending) { return {.leave = Leave{.ending = std::move(ending)}}; }

// The end of a step. What was evaluated there is with the method's workspace.
struct Trial {
  nlp::Point point{};
  nlp::Evaluation evaluation{};
  bool has_derivatives = false;
  bool teaches = false;  // its evaluation says what to ask of those that follow
  double decrease = -1;  // of what the phase judges by
  double objective = 0;
  double gap = 0;
  double violation = 0;
  std::vector<double> step{};  // in units, where a descent has bent it
};

// One row of the table of a method. `Workspace` is what the method computes from a state and keeps from one pass of the
// loop to the next: memory, factorisations. Proposing and judging change nothing of the state; `learn` is called by
// `advance` alone, after a verdict or when the phase is left, and sets the phase that follows.
template <class Workspace>
struct Phase {
  PhaseName name = PhaseName::start;
  Proposal (*propose)(Workspace&, const State&) = nullptr;
  Verdict (*judge)(Workspace&, const State&, const Proposal&, const Trial&) = nullptr;
  void (*learn)(Workspace&, State&, const Proposal&, const Trial&, const Verdict&) = nullptr;
  // Whether the point is an end that was reached by this step.
  std::optional<Ending> (*ends)(const Workspace&, const State&, const Proposal&) = nullptr;
  std::span<const PhaseName> followers{};  // all phases that may come next
};

template <class Workspace>
struct Table {
  std::span<const Phase<Workspace>> phases{};

  const Phase<Workspace>& at(PhaseName name) const {
    const auto found = std::find_if(phases.begin(), phases.end(), [name](const auto& row) { return row.name == name; });
    SALVO_EXPECTS(found != phases.end());
    return *found;
  }
};

// A row from a struct that holds its functions.
template <class Workspace, class Kind>
constexpr Phase<Workspace> row() {
  return {Kind::name, &Kind::propose, &Kind::judge, &Kind::learn, &Kind::ends, Kind::followers};
}

}  // namespace salvo::solve
