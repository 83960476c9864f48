#pragma once

#include "base/random.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// One draw of a quantity, on its scale. Without a law of its own, `share` of all draws between its ends are lower.
double drawn(const model::Estimated& estimated, double share, Random& random, const DrawRules& rules);

// Another point of the region in which starts are spread; or, not within that range, near the guess where there are no
// bounds.
nlp::Point draw_point(const Setup& setup, Random& random, bool within_range);

}  // namespace salvo::estimate
