#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "salvo/problem.hpp"

namespace salvo::python {

// A problem as Python holds it: it never changes, so that results, objectives and threads may share it.
struct Problem {
  std::shared_ptr<const model::Problem> content{};
};

// The tables that a user looks at, each as a dict of columns.
pybind11::dict contents(const model::Problem& problem);

void bind_problem(pybind11::module_& module);

}  // namespace salvo::python
