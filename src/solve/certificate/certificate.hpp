#pragma once

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

// What was proved of an answer, evaluated afresh with full accuracy (docs/mathematics.md, section 18).
struct Certificate {
  double gap = 0;
  double constraint_violation = 0;
  double gain = 0;           // what one more full step would gain, by the exact gradient
  double resolution = 0;     // changes of the objective below it are errors of integration and rounding
  bool is_resolved = true;   // these leave something of the objective to be known
  double contraction = 0;    // of Gauss-Newton steps at the end; near 1 the minimum is not statistically stable
  bool is_of_nodes = false;  // one trajectory departs from them, and nothing more was looked at
  bool is_flat = false;      // far more than the information says: errors by it mean nothing
  std::vector<Probe> probes{};
  int rank = 0;
  std::string missing{};  // what is not proved, in words; empty: it is a minimum
  bool holds() const { return missing.empty(); }
};

struct CertificateRules {
  double gain = 1e-6;             // of a log-likelihood
  double lower = 1e-4;            // by which a probe must lie lower to be believed
  double radius = 4;              // of the full step, as in a descent
  double shortest_radius = 1e-7;  // within which steps are tried
  double shortest_part = 1e-3;    // of a step that is tried beside a jump
  double longest_part = 1e6;      // towards a corner
  double beside = 1e-6;           // part of it within which no smooth objective rises by what is unresolved
  int most_partial_steps = 20;    // of some unknowns, where those of all of them meet a jump
  HessianRules hessian{};
  int power_iterations = 4;                        // for the contraction
  double suspicious = -0.5;                        // eigenvalue of the curvature beyond the information, of it
  double flat = 0.1;                               // rise over one standard error, of what the information says
  double faint = 1e-6;                             // singular value, of the largest, of a direction that is probed
  double vague = 1e-2;                             // or absolutely: sigmas by a move of one unit
  double accuracy = 1e-8;                          // relative tolerance of trajectories
  double coarser = 10;                             // times that: what the error of integration is measured against
  double tremble = 1e-15;                          // relative change of unknowns that shows the error of rounding, ...
  int most_trembles = 4;                           // ... and its multiples, where it shows one
  double unresolved = 0.1;                         // error of a log-likelihood that says nothing
  double rounding = 1e-14;                         // of the objective
  std::size_t few_unknowns = 100;                  // more are certified without their spectrum where all is plain
  std::vector<double> distances = {0.03, 0.3, 1};  // of probes, in units
  int signs = 3;                                   // of the sums of faint directions that are probed as well
  int most_of_hessian = 100;                       // unknowns for which it is computed
  std::vector<double> short_distances = {1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1};  // where it curves down
};

// For a problem without gaps. If a probe lies lower, `lower` is that point.
Certificate certify(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                    const CertificateRules& rules, nlp::Point& lower);

}  // namespace salvo::solve
