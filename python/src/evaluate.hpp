#pragma once

#include <pybind11/pybind11.h>

namespace salvo::python {

// What is computed from a problem without fitting it.
void bind_evaluate(pybind11::module_& module);

}  // namespace salvo::python
