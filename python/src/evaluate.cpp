#include "evaluate.hpp"

#include <pybind11/stl.h>

#include "base/watch.hpp"
#include "errors.hpp"
#include "numbers.hpp"
#include "options/prepare.hpp"
#include "problem.hpp"
#include "pump.hpp"
#include "salvo/fit.hpp"
#include "salvo/report.hpp"
#include "words.hpp"

namespace salvo::python {
namespace py = pybind11;

void run_or_raise(const Pump::Work& work) {
  if (!run_and_listen(work, py::none()).interrupted) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw py::error_already_set();
}

namespace {

using options::Door;

py::tuple evaluate(const Problem& problem, const py::dict& given) {
  const Words words(given);
  options::OptionReader reader(Door::keywords);
  fit::EvaluateOptions options{.gradient = words.flag("gradient"), .jacobian = words.flag("jacobian")};
  options.integrator =
      reader.integrator({words.word("integrator"), words.word("rtol"), words.word("atol")}, *problem.content);
  options.memory = reader.megabytes("--memory", words.word("memory"));
  options.values = words.values("values");
  raise_if_any(reader.issues());
  fit::EvaluateResult result;
  run_or_raise([&](const RunContext& context) {
    RunContext watched = context;
    const Watch watch(watched);
    result = fit::evaluate(*problem.content, options, watched);
  });
  return py::make_tuple(report::evaluate_json(*problem.content, result),
                        report::evaluate_summary(*problem.content, result));
}

py::dict arc_columns(const Arc& arc) {
  py::dict out;
  out["experiment"] = arc.experiment;
  out["time"] = Numbers(arc.time);
  out["states"] = Numbers(arc.states);
  out["observables"] = Numbers(arc.observables);
  return out;
}

// ok, message, the trajectories, and, where they are wanted, the names of the quantities and derivatives by them.
py::tuple simulate(const Problem& problem, const py::dict& given) {
  const Words words(given);
  const options::SimulateWords said{.at = words.word("times"),
                                    .until = words.word("until"),
                                    .integrator = {words.word("integrator"), words.word("rtol"), words.word("atol")}};
  fit::SimulateOptions options = value_or_raise(options::prepare_simulation(said, *problem.content, Door::keywords));
  options.values = words.values("values");
  const bool wants_derivatives = words.flag("sensitivities");
  fit::SimulateResult result;
  fit::Sensitivities derivatives;
  run_or_raise([&](const RunContext& context) {
    RunContext watched = context;
    const Watch watch(watched);
    result = fit::simulate(*problem.content, options);
    if (wants_derivatives) derivatives = fit::sensitivities(*problem.content, options, result.experiments, watched);
  });
  py::list arcs, by;
  for (const Arc& arc : result.experiments) arcs.append(arc_columns(arc));
  for (Matrix& matrix : derivatives.by_experiment) by.append(Numbers(std::move(matrix)));
  const bool ok = result.ok && derivatives.ok;
  return py::make_tuple(ok, result.ok ? derivatives.message : result.message, arcs, derivatives.ids, by);
}

py::tuple check(const Problem& problem, const py::dict& given) {
  options::OptionReader reader(Door::keywords);
  fit::Options options{.spelling = options::as_keywords()};
  options.max_seconds = reader.positive("--max-time", Words(given).word("max_time"));
  raise_if_any(reader.issues());
  std::vector<fit::Finding> findings;
  run_or_raise([&](const RunContext&) { findings = fit::check(*problem.content, options); });
  return py::make_tuple(report::check_json(*problem.content, findings), report::check_summary(findings));
}

}  // namespace

void bind_evaluate(py::module_& module) {
  module.def("evaluate", &evaluate, py::arg("problem"), py::arg("keywords"));
  module.def("simulate", &simulate, py::arg("problem"), py::arg("keywords"));
  module.def("check", &check, py::arg("problem"), py::arg("keywords"));
  module.def("page_of_folder",
             [](const std::string& folder) { return value_or_raise(report::page_of_folder(folder)); });
}

}  // namespace salvo::python
