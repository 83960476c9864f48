#pragma once

#include <string>

#include "compile/compiled_model.hpp"
#include "estimate/workspace.hpp"

namespace salvo::estimate {

struct MethodChoice {
  model::Method method = model::Method::gauss_newton;
  std::string reason{};
};

// With fewer data than parameters a step of Gauss and Newton, or a proof, looks for all that the data cannot see, in a
// dense matrix of all parameters. Can a fit pay for as many of these as it may take steps?
bool can_be_dense(const model::Problem& problem, const compile::CompiledModel& model, const AccountRules& rules);

// What `auto` stands for: the method whose iterations take fewer operations, counted and never timed
// (docs/mathematics.md, section 14). A network takes damped steps in any case: its weights are more than the data can
// tell.
MethodChoice choose_method(const model::Problem& problem, const compile::CompiledModel& model, int intervals,
                           const Rules& rules);
MethodChoice choose_method(const Workspace& workspace, const model::Nodes& nodes);

}  // namespace salvo::estimate
