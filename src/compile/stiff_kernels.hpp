#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "compile/elimination_plan.hpp"
#include "compile/formulas.hpp"
#include "compile/kernel.hpp"
#include "compile/pattern.hpp"

namespace salvo::compile {

// Second derivatives of equations that look into their own past: of f_x u + w f_t + f_z v, with the seed u and [w, v]
// kept.
struct CurvatureOfPast {
  Kernel kernel{};                 // non-zeros by x, p, z and t, one after the other
  Pattern by_x{}, by_p{}, by_z{};  // columns: states, active parameters, looks
  std::vector<int> by_time{};      // rows
};

// What linearly implicit steps need of a model besides f and its first derivatives. Non-zeros of f_x are in the order
// of CompiledModel::f_x; derivatives by time exist only where the equations use it.
struct StiffKernels {
  Kernel linearization{};  // f, the non-zeros of f_x, f_t
  // seed u, kept w: non-zeros of d(f_x u + w f_t)/dx, row by row, then of d(f_x u + w f_t)/dp
  Kernel curvature{};
  Lines curvature_rows{};               // of the part by x
  Lines curvature_columns{};            // of both parts
  Kernel curvature_by_time{};           // the same seeds: d(f_x u + w f_t)/dt; only where f switches
  CurvatureOfPast curvature_of_past{};  // where the equations look into it
  Kernel second_pull{};  // seed [weights of the non-zeros of f_x, weights of f_t]: by x; sums: by active p
  bool uses_time = false;
  // Elimination without pivoting; nothing for models of many states, where it would be too long a list of formulas.
  std::optional<EliminationPlan> plan{};
  EliminationKernels elimination{};

  int largest_work() const;
};

// Makes the stiff kernels of a model once someone asks for them. Most models never do.
class StiffSource {
 public:
  explicit StiffSource(std::shared_ptr<const Formulas> formulas) : formulas_(std::move(formulas)) {}
  explicit StiffSource(StiffKernels made) : made_(std::move(made)) {}

  const StiffKernels& kernels();

 private:
  std::mutex mutex_;
  std::shared_ptr<const Formulas> formulas_{};
  std::optional<StiffKernels> made_{};
};

}  // namespace salvo::compile
