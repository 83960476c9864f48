#include "solve/certificate/resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace salvo::solve {
namespace {

// A change of unknowns, relative to them, that shows the error of rounding: a few units in the last place.
const double perturbation = 1e-15;

// The change of the objective, beyond what its gradient says, where unknowns differ by a few units in their last place.
double change_at(const ResolvedPoint& at, int even, int odd) {
  const nlp::Layout& layout = at.problem.layout();
  nlp::Point q = at.q;
  double predicted = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double least = perturbation * std::max(std::abs(at.q[i]), at.units[i]);
    q[i] = std::clamp(at.q[i] + (i % 2 == 0 ? even : odd) * least, layout.lower[i], layout.upper[i]);
    predicted += at.g[i] * (q[i] - at.q[i]) / at.units[i];
  }
  nlp::Blocks blocks;
  return at.problem.values(q, at.request, blocks).ok ? std::abs(blocks.objective - at.objective - predicted) : HUGE_VAL;
}

// A jump, and an edge of what can be computed, are on one side: there it counts what changes on both. Where rounding is
// seen on both, what is larger on one of them is rounding too.
double rounding_error(const ResolvedPoint& at, const CertificateRules& rules, double resolution) {
  double on_both_sides = 0;
  double on_any = 0;
  for (int n = 1; n <= rules.repetitions; ++n) {
    for (const int odd : {n, -n}) {
      const double ahead = change_at(at, n, odd);
      const double back = change_at(at, -n, -odd);
      on_any = std::max({on_any, ahead, back});
      on_both_sides = std::max(on_both_sides, std::min(ahead, back));
    }
    if (on_any <= resolution) break;
  }
  return on_both_sides > rules.gain ? on_any : on_both_sides;
}

}  // namespace

double rounding_of_sum(double objective) {
  const double of_terms = 1e-14;  // relative, some tens of units in the last place
  return of_terms * (1 + std::abs(objective));
}

Resolution resolution_of(const ResolvedPoint& at, const CertificateRules& rules) {
  Resolution out{.value = rounding_of_sum(at.objective)};
  nlp::Request coarse = at.request;
  coarse.accuracy = rules.coarser * at.accuracy;
  nlp::Blocks blocks;
  if (const nlp::Evaluation there = at.problem.values(at.q, coarse, blocks); !there.ok) {
    out.missing =
        fmt::format("with somewhat larger errors of integration the model cannot be computed: {}", there.trouble);
    return out;
  }
  out.value = std::max(out.value, std::abs(blocks.objective - at.objective) / rules.coarser);
  out.value = std::max(out.value, rounding_error(at, rules, out.value));
  if (!(out.value <= rules.unresolved))
    out.missing = "errors of the integration grow so much along the trajectory that the objective is not known";
  return out;
}

}  // namespace salvo::solve
