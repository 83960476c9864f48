#pragma once

#include <string>

#include "compile/compiled_model.hpp"
#include "estimate/workspace.hpp"

namespace salvo::estimate {

struct MethodChoice {
  model::Method method = model::Method::gauss_newton;
  std::string reason{};
};

// What `auto` stands for: the method whose iterations take fewer operations, counted and never timed
// (docs/mathematics.md, section 14). A network takes damped steps in any case: its weights are more than the data can
// tell.
MethodChoice choose_method(const model::Problem& problem, const compile::CompiledModel& model, int intervals,
                           const Rules& rules);
MethodChoice choose_method(const Workspace& workspace, const model::Nodes& nodes);

}  // namespace salvo::estimate
