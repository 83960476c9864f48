#pragma once

#include <pybind11/pybind11.h>

#include "pump.hpp"

namespace salvo::python {

// What was stopped on the way has no result to give: KeyboardInterrupt.
void run_or_raise(const Pump::Work& work);

// What is computed from a problem without fitting it.
void bind_evaluate(pybind11::module_& module);

}  // namespace salvo::python
