#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "integrate/integrator.hpp"

namespace salvo::integrate {

// Columns of a sweep forward that pass the steps of a trajectory side by side, and the states that they can reach by
// the structure of the equations. A parameter that acts at the end of a cascade leaves the states before it alone.
struct ColumnGroup {
  std::vector<int> columns{};
  std::vector<bool> reached{};
};

// Groups of so many columns at most. Those that reach the same states stand together.
std::vector<ColumnGroup> group_columns(const compile::CompiledModel& model, std::span<const Seed> seeds, int columns,
                                       int most);

// Row after row, sums of products of a coefficient with a number across.
struct SumsOfProducts {
  struct Term {
    std::uint32_t place = 0;  // of the coefficient
    std::uint32_t across = 0;
  };
  std::vector<Term> terms{};
  std::vector<std::uint32_t> end{};  // of each row

  // Coefficients stand so far apart, and so do numbers across.
  void spread(int places, int numbers);
};

// The linear equations of a step (rosenbrock_tangents.hpp) that are left of all of them where only some states are
// reached. Nothing leads from these to others, so elimination in its usual order stays among them.
struct ReachedEquations {
  std::vector<int> states{};  // in the order of elimination, in which rows stand and numbers across are counted
  SumsOfProducts products{};  // f_x dX + C dx: places among the non-zeros of [f_x f_p] and [C D], across [dX; dx]
  SumsOfProducts down{};      // L, with places in the list of EliminationPlan
  SumsOfProducts up{};  // U, from the last row to the first, with places in the order of EliminationPlan::upper_rows
  std::vector<std::uint32_t> pivot{};  // of each row
};

ReachedEquations reached_equations(const compile::CompiledModel& model, const compile::StiffKernels& kernels,
                                   const std::vector<bool>& reached);

}  // namespace salvo::integrate
