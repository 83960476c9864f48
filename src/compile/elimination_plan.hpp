#pragma once

#include <vector>

#include "compile/kernel.hpp"
#include "compile/pattern.hpp"
#include "expression/graph.hpp"

namespace salvo::compile {

// Gaussian elimination of B = J - s M for a Jacobian J of known pattern, without looking at its numbers; M is the
// identity without the ones of algebraic rows. Pivots stand on the diagonal, the next one always where it costs least
// (Markowitz). What is left of B stands in one list: the entries of L (negative, below the diagonal of ones), of U
// (above its diagonal), and -1/u_kk.
struct EliminationPlan {
  struct Entry {
    int row = 0;  // in the order of elimination
    int column = 0;
    int place = 0;  // in the list
  };
  std::vector<int> order{};    // which state is eliminated n-th
  std::vector<Entry> lower{};  // by rows
  std::vector<Entry> upper{};  // by rows
  Lines lower_rows{};          // the same, across to states in their own order
  Lines upper_rows{};
  std::vector<int> pivot{};        // place of -1/u_kk
  std::vector<bool> is_shifted{};  // of every row: s stands on its diagonal
  // Entries of B by rows, that of the diagonal first: their place among the non-zeros of J, -1 where only -s stands.
  std::vector<Entry> given{};
  int size = 0;         // of the list
  double products = 0;  // multiplications of one elimination

  // (s M - J) x = b follows from the list by sums of products alone.
};

EliminationPlan plan_elimination(const Pattern& jacobian, int states, const std::vector<int>& algebraic = {});

// The plan as formulas. `factorize`: s in the place of the time, the non-zeros of J as seed; out comes the list.
// `solve` and `solve_transposed`: b as seed, the list as what was kept; out comes x with (s M - J) x = b, or
// transposed.
struct EliminationKernels {
  Kernel factorize{};
  Kernel solve{};
  Kernel solve_transposed{};
};
EliminationKernels elimination_kernels(const EliminationPlan& plan, int nonzeros);

}  // namespace salvo::compile
