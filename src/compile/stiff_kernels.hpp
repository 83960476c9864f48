#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "compile/elimination_plan.hpp"
#include "compile/kernel.hpp"
#include "expression/differentiate.hpp"

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

// The formulas of a model from which its stiff kernels are made once someone asks for them. Most models never do.
class StiffSource {
 public:
  struct Formulas {
    expression::Graph graph{};
    std::vector<expression::NodeId> f{};
    std::vector<expression::JacobianEntry> f_x{};
    std::vector<expression::NodeId> states{};
    std::vector<expression::NodeId> active{};
    expression::NodeId time = expression::no_node;
    bool uses_time = false;
    Signature signature{};
  };
  explicit StiffSource(Formulas formulas) : formulas_(std::move(formulas)) {}
  explicit StiffSource(StiffKernels made) : made_(std::move(made)) {}

  const StiffKernels& kernels();

 private:
  std::mutex mutex_;
  Formulas formulas_{};
  std::optional<StiffKernels> made_{};
};

}  // namespace salvo::compile
