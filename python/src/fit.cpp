#include "fit.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "errors.hpp"
#include "keywords.hpp"
#include "problem.hpp"
#include "pump.hpp"
#include "salvo/report.hpp"
#include "without_gil.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

// A finished fit, from which the texts and files that the program would write are made when they are wanted.
struct FinishedFit {
  std::shared_ptr<const model::Problem> problem{};
  FitResult result{};
  report::RunRecord record{};

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const report::FileText& file : report::fit_files(*problem, result, record)) found.push_back(file.name);
    return found;
  }
  py::bytes file(const std::string& name) const {
    std::string text;
    without_gil([&] {
      for (const report::FileText& file : report::fit_files(*problem, result, record))
        if (file.name == name) file.text([&](std::string_view piece) { text += piece; });
    });
    return text;
  }
  std::string json() const { return report::fit_json(*problem, result); }
  std::string summary(bool colour, std::size_t width) const {
    std::string text = report::fit_summary(*problem, result, colour, width);
    if (result.profiles) text += "\n" + report::profiles_summary(result, colour);
    return text;
  }
  void write(const std::string& folder) const {
    without_gil([&] { report::write_fit(*problem, result, folder, record); });
  }
};

FinishedFit fit(const Problem& problem, const py::dict& given, const py::object& listener) {
  Keywords keywords(given);
  const fit::Options options = fit_options(keywords, *problem.content);
  keywords.raise_if_wrong();
  FinishedFit finished{
      .problem = problem.content,
      .record = {.seed = options.seed, .threads = options.threads, .files = problem.content->files_read}};
  run_and_listen([&](const RunContext& context) { finished.result = fit::fit(*problem.content, options, context); },
                 listener);
  return finished;
}

}  // namespace

void bind_fit(py::module_& module) {
  py::class_<FinishedFit>(module, "FinishedFit")
      .def("names", &FinishedFit::names)
      .def("file", &FinishedFit::file, py::arg("name"))
      .def("json", &FinishedFit::json)
      .def("summary", &FinishedFit::summary, py::arg("colour") = false, py::arg("width") = 80)
      .def("write", &FinishedFit::write, py::arg("folder"));
  module.def("fit", &fit, py::arg("problem"), py::arg("keywords"), py::arg("listener"));
}

}  // namespace salvo::python
