#include "errors.hpp"
#include "fit.hpp"
#include "problem.hpp"

// The border between Python and C++. What users see is written in Python around it.
PYBIND11_MODULE(_core, module) {
  module.attr("version") = SALVO_VERSION;
  salvo::python::bind_errors(module);
  salvo::python::bind_problem(module);
  salvo::python::bind_fit(module);
}
