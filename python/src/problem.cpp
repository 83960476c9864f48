#include "problem.hpp"

#include <pybind11/stl.h>

#include "errors.hpp"
#include "salvo/read.hpp"
#include "without_gil.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

Problem own(model::Problem problem) { return {std::make_shared<const model::Problem>(std::move(problem))}; }

Problem read(const std::string& path) {
  std::optional<Result<model::Problem>> found;
  without_gil([&] { found = formats::read_problem(path); });
  return own(value_or_raise(*std::move(found)));
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<Problem>(module, "Problem")
      .def_property_readonly("title", [](const Problem& problem) { return problem.content->title; })
      .def_property_readonly("file", [](const Problem& problem) { return problem.content->file; });
  module.def("read", &read, py::arg("path"));
}

}  // namespace salvo::python
