#pragma once

#include <pybind11/pybind11.h>

namespace salvo::python {

void bind_objective(pybind11::module_& module);

}  // namespace salvo::python
