#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shooting/shooting_problem.hpp"
#include "start/observed_states.hpp"
#include "start/rules.hpp"
#include "start/start_nodes.hpp"

namespace salvo::start {

struct Matched {
  SharedUnknowns unknowns{};
  std::vector<std::string> states{};  // whose curves were matched
};

// Parameters and hidden initial values for which the right-hand side, put along the smoothed data, adds up to the
// increments that the smoothed data show (docs/mathematics.md, eq. 30). Linear in what f is affine in, and without
// trajectories to blow up, it needs no good guess: it begins where an earlier match ended, else at the guess, and where
// that does not lead to a good match, at multiples of the guess. What the data cannot see keeps its guess. Nothing
// where the hidden states cannot be driven, or where the least squares would cost more than they save.
std::optional<Matched> match_integrals(const shooting::ShootingProblem& shooting,
                                       const std::vector<ObservedStates>& observed, const SharedUnknowns& guess,
                                       const std::optional<Matched>& before = {}, const Rules& rules = {});

}  // namespace salvo::start
