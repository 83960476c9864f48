#pragma once

#include <pybind11/pybind11.h>

namespace salvo::python {

void bind_design(pybind11::module_& module);

}  // namespace salvo::python
