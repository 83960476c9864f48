#pragma once

#include "base/random.hpp"
#include "fit/predict.hpp"
#include "fit/setup.hpp"
#include "solve/certificate.hpp"

namespace salvo::fit {

// An answer with all that belongs to it.
struct Solved {
  Setup setup{};
  solve::SolveResult result{};
  solve::Certificate certificate{};  // of an answer that is called converged
  shooting::WorkCount work{};        // of all attempts
  Predictions predictions{};         // at the point that was reached
  std::string remark{};              // how the answer was found, if not from the guess as it stands
  int points = 1;                    // that were tried as starts
};

bool is_converged(const Solved& solved);
// One comparison for all: joined before torn, then the objective; of two that are as good, the one that is proved.
bool is_better(const Solved& a, const Solved& b);

// Solves in one way after the other, under one budget, until an answer is proved and credible:
//   several nodes, laid on the data;
//   one unbroken trajectory from the guess, whose objective only falls;
//   a search: further points are drawn, and the best of them followed (fit/search.hpp).
// What was said explicitly is obeyed: nodes, method and start values exclude the other ways, a guess excludes others.
Solved solve_from_guess(const model::Problem& problem, const Options& options,
                        std::shared_ptr<const compile::CompiledModel> compiled, const RunContext& context,
                        std::shared_ptr<shooting::Buffers> buffers = nullptr);

// Goes on from an answer along one unbroken trajectory per experiment.
Solved continue_descent(Solved solved, const RunContext& context);

}  // namespace salvo::fit
