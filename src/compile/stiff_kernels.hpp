#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "compile/elimination_plan.hpp"
#include "compile/formulas.hpp"
#include "compile/kernel.hpp"

namespace salvo::compile {

// What linearly implicit steps need of a model besides f and its first derivatives. Non-zeros of f_x are in the order
// of CompiledModel::f_x; derivatives by time exist only where the equations use it.
struct StiffKernels {
  Kernel linearization{};  // f, the non-zeros of f_x, f_t
  Kernel second_push_x{};  // seed dx: the change of the non-zeros of f_x, then of f_t
  Kernel second_push{};    // seed [dx, dp active]: the same
  Kernel second_pull{};    // seed [weights of the non-zeros of f_x, weights of f_t]: by x; sums: by active p
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
