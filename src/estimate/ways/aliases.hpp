#pragma once

#include <vector>

#include "base/run_context.hpp"
#include "estimate/rules.hpp"
#include "estimate/ways/image.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::estimate {

// Points whose trajectories are those of q, run through faster or more slowly, and say nearly the same at every
// measurement: aliases of an oscillation that is sampled at few times (docs/mathematics.md, section 22). `unbroken` has
// one interval for each experiment. The slowest comes first; none if nothing oscillates, or if no quantities set the
// pace.
std::vector<Image> aliases_of(const shooting::ShootingProblem& unbroken, const nlp::Point& q,
                              const nlp::Request& request, const AnswerRules& rules, const RunContext& context);

}  // namespace salvo::estimate
