#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.hpp"
#include "nlp/problem.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// What a look along a direction that the rows cannot see has shown.
enum class Probed { constant, higher, lower };
std::string_view to_string(Probed probed);

struct Probe {
  std::vector<double> direction{};  // of all unknowns, in their units
  Probed verdict = Probed::constant;
  double change = 0;  // of the objective, the lowest that was met
};

// What was proved of an answer, evaluated afresh with full accuracy (docs/mathematics.md, section 18). What was not
// measured has no value.
struct Certificate {
  double gap = 0;
  double constraint_violation = 0;
  std::optional<double> gain{};         // what one more full step would gain, by the exact gradient
  std::optional<double> resolution{};   // changes of the objective below it are errors of integration and rounding
  bool is_resolved = true;              // these leave something of the objective to be known
  std::optional<double> integration{};  // by how many standard errors, at most, errors of integration move an estimate
  std::optional<double> contraction{};  // of Gauss-Newton steps at the end; near 1 the minimum is not stable
  bool is_of_nodes = false;             // one trajectory departs from them, and nothing more was looked at
  bool is_flat = false;                 // far more than the information says: errors by it mean nothing
  std::vector<Probe> probes{};
  std::optional<int> rank{};  // of the information, with what probes have seen beyond it
  std::string missing{};      // what is not proved, in words; empty: it is a minimum
  bool holds() const { return missing.empty(); }
};

// For a problem without gaps, whose trajectories have the relative tolerance `accuracy`. If a probe lies lower, `lower`
// is that point. Where the run is to stop, or its share of the ledger is spent, nothing more is looked at, and the
// certificate says so.
Certificate certify(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request, double accuracy,
                    const Rules& rules, const RunContext& context, nlp::Point& lower);

}  // namespace salvo::solve
