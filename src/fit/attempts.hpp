#pragma once

#include "fit/predict.hpp"
#include "fit/setup.hpp"

namespace salvo::fit {

struct Solved {
  Setup setup{};
  solve::SolveResult result{};
  shooting::WorkCount work{};  // of all attempts
  Predictions predictions{};   // at the point that was reached
  std::string remark{};        // how the answer was found, if not from the guess as it stands
};

// Solves from the guess. If that fails, or ends in a fit that the stated noise makes incredible, and nothing about the
// start was said explicitly, further starts are tried: first one trajectory from the guess, then the guess without
// integral matching, then without its minus signs, then guesses scattered around it, wider and wider. The best
// converged answer wins.
Solved solve_from_guess(const model::Problem& problem, const Options& options,
                        std::shared_ptr<const compile::CompiledModel> compiled, const RunContext& context,
                        std::shared_ptr<shooting::Buffers> buffers = nullptr);

}  // namespace salvo::fit
