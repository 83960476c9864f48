#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stop_flag.hpp"
#include "compile/discontinuities.hpp"
#include "compile/freeze.hpp"
#include "expression/differentiate.hpp"

namespace salvo::compile {

// What is known of a model when its discontinuities are made into kernels.
struct SwitchedModel {
  expression::Graph& graph;
  const Signature& signature;
  std::span<const expression::NodeId> f{};  // of ordinary states, with frozen truth values
  const expression::Variables& states;
  const expression::Variables& active;
  expression::NodeId time = expression::no_node;
  int first_truth = 0;                                     // place among the parameters
  int frozen = 0;                                          // how many parameters there are from there on
  std::span<const expression::NodeId> pieces{};            // the formulas that stand for inputs ...
  std::vector<expression::NodeId> inputs{};                // ... and the inputs as users name them
  std::vector<bool> begins_at_rest{};                      // of every experiment
  std::span<const std::pair<int, std::string>> divided{};  // switches at whose zero an equation has no solution
  std::span<const expression::NodeId> delayed{};           // symbols of delayed values
  Kernel f_t{};                                            // where there are fields; otherwise it follows from f
  const StopFlag* stop = nullptr;                          // once it is raised nobody wants the rest
};

// An input on which right-hand sides or events depend.
struct DrivingInput {
  int index = 0;  // among the inputs of the model
  std::string name{};
  expression::NodeId time = expression::no_node;  // at which it is read
};

// An event with its formulas as the model has them.
struct EventFormulas {
  std::string text{};
  std::vector<int> experiments{};
  std::vector<expression::NodeId> times{};
  expression::NodeId condition = expression::no_node;  // with frozen truth values
  bool false_before_start = false;
  bool is_persistent = true;
  expression::NodeId priority = expression::no_node;
  std::vector<int> states{};
  std::vector<expression::NodeId> values{};  // that they take
};

std::shared_ptr<const Discontinuities> compile_discontinuities(const SwitchedModel& model,
                                                               std::span<const Freezer::Switch> switches,
                                                               std::span<const EventFormulas> events,
                                                               std::span<const DrivingInput> inputs);

}  // namespace salvo::compile
