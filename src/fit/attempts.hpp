#pragma once

#include "base/random.hpp"
#include "fit/predict.hpp"
#include "fit/setup.hpp"
#include "solve/certificate/certificate.hpp"

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
// One comparison for all: joined before torn, known before lost in errors of integration, then the objective; of two
// that are as good, the one that is proved.
bool is_better(const Solved& a, const Solved& b);

// What all ways of a fit together may spend. A way is begun while anything is left.
struct Budget {
  double evaluations = 2e7;   // of the right-hand side
  double operations = 1e10;   // in right-hand sides, if they are long
  double first_way = 0.5;     // the share of nodes that other ways would follow; nodes that come later may take as much
                              // as all ways before them
  double least_passes = 100;  // over all intervals, that nodes may take whatever they cost
};

// Solves in one way after the other, under one budget, until an answer is proved and credible:
//   several nodes, laid on the data;
//   one unbroken trajectory from the guess, whose objective only falls;
//   a search: further points are drawn, and the best of them followed (fit/search.hpp).
// What was said explicitly is obeyed: nodes, method and start values exclude the other ways, a guess excludes others.
// The answer refers to the problem.
Solved solve_from_guess(const model::Problem& problem, const Options& options,
                        std::shared_ptr<const compile::CompiledModel> compiled, const RunContext& context,
                        std::shared_ptr<shooting::Buffers> buffers = nullptr, const Budget& budget = {});

// Goes on from an answer along one unbroken trajectory per experiment.
Solved continue_descent(Solved solved, const RunContext& context);

}  // namespace salvo::fit
