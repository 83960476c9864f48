#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "design.hpp"
#include "errors.hpp"
#include "evaluate.hpp"
#include "fit.hpp"
#include "numbers.hpp"
#include "objective.hpp"
#include "problem.hpp"
#include "salvo/run.hpp"

// The border between Python and C++. What users see is written in Python around it.
PYBIND11_MODULE(_core, module) {
  module.attr("version") = SALVO_VERSION;
  salvo::python::bind_errors(module);
  salvo::python::bind_numbers(module);
  salvo::python::bind_problem(module);
  salvo::python::bind_fit(module);
  salvo::python::bind_evaluate(module);
  salvo::python::bind_design(module);
  salvo::python::bind_objective(module);
  module.def("after_fork_in_child", &salvo::after_fork_in_child);
  module.def("why_no_machine_code", &salvo::fit::why_no_machine_code);
  module.def("break_a_rule", [] { SALVO_EXPECTS(2 + 2 == 5); });  // for the test that it raises
}
