#pragma once

#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "expression/graph.hpp"

namespace salvo::compile {

// What is known of a model with fields when its kernels are made: formulas as the model has them, with constants folded
// and truth values frozen.
struct FieldModel {
  expression::Graph& graph;
  const Signature& signature;                  // of ordinary states, parameters and time
  std::span<const model::Stencil> stencils{};  // of the last states
  std::span<const model::Functional> functionals{};
  std::span<const expression::NodeId> ordinary{};  // the symbols of the first states ...
  std::span<const expression::NodeId> f{};         // ... and their equations, then those of stencils in their order
  std::span<const expression::NodeId> active{};
  expression::NodeId time = expression::no_node;
  int states = 0;
  bool switches = false;
};

// f, its derivatives and products, and what linearly implicit steps need: one body for each kind of cell, however many
// cells there are.
void compile_fields(const FieldModel& from, CompiledModel& to);

// f_t of such a model.
Kernel field_time_derivative(const FieldModel& from);

// [g, sigma] of an observable of cells, and its derivatives. The symbols of functionals stand for sums of states.
ObservableKernel compile_field_observable(const FieldModel& from, std::span<const expression::NodeId> both);

}  // namespace salvo::compile
