#include "problem.hpp"

#include <pybind11/stl.h>

#include <filesystem>

#include "errors.hpp"
#include "estimate/quantities.hpp"
#include "model/faults.hpp"
#include "options/prepare.hpp"
#include "report/folder_update.hpp"
#include "salvo/fit.hpp"
#include "salvo/read.hpp"
#include "without_gil.hpp"
#include "words.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

using options::Door;

Problem own(model::Problem problem) { return {std::make_shared<const model::Problem>(std::move(problem))}; }

Problem read_from(const std::string& path, formats::FileSource& source, const std::optional<std::string>& data) {
  std::optional<Result<model::Problem>> found;
  without_gil([&] { found.emplace(formats::read_problem(path, {.data = data, .source = &source})); });
  return own(value_or_raise(*std::move(found)));
}

// The problem, and the files that it was read from.
py::tuple read(const std::string& path) {
  formats::FileSource source;
  source.remember(path);
  const Problem problem = read_from(path, source, std::nullopt);
  py::dict files;
  for (const auto& [name, text] : source.remembered()) files[py::str(name)] = py::bytes(text);
  return py::make_tuple(problem, std::filesystem::path(path).filename().string(), files);
}

Problem read_given(const std::string& main, const py::dict& files, const std::optional<std::string>& data) {
  formats::GivenFiles given;
  for (const auto& [name, text] : files) given.emplace(name.cast<std::string>(), text.cast<std::string>());
  formats::FileSource source(std::move(given));
  return read_from(main, source, data);
}

// With quantities held (`fix`), other guesses, the data of some experiments (`only`), or curves that go on (`until`).
Problem changed(const Problem& problem, const py::dict& given) {
  const Words words(given);
  options::FitWords said;
  said.fix = words.assignments("fix");
  said.only = words.list("only");
  said.until = words.word("until");
  said.guess = words.assignments("guess");
  options::PreparedFit prepared = value_or_raise(options::prepare_fit(said, *problem.content, Door::keywords));
  estimate::set_guesses(prepared.problem, prepared.options.guess);
  raise_if_any(model::faults(prepared.problem));
  return own(std::move(prepared.problem));
}

// Those of the names that stand for nothing in the problem.
std::vector<std::string> unknown_names(const Problem& problem, const std::vector<std::string>& names) {
  std::map<std::string, double> values;
  for (const std::string& name : names) values.emplace(name, 0.0);
  const std::set<std::string> unknown = estimate::unknown_names(*problem.content, values);
  return {unknown.begin(), unknown.end()};
}

// Names and texts of the files of this problem in the other format, and what that cannot say.
py::tuple written(const Problem& problem, const std::string& stem) {
  std::optional<Result<formats::Written>> made;
  without_gil([&] {
    if (problem.content->petab) {
      made.emplace(formats::write_problem(*problem.content, stem));
    } else {
      model::Problem guessed = *problem.content;
      fit::guess_initial_values(guessed);
      made.emplace(formats::petab::write_problem(guessed, stem));
    }
  });
  const formats::Written files = value_or_raise(*std::move(made));
  py::list list;
  for (const formats::Written::File& file : files.files) list.append(py::make_tuple(file.name, py::bytes(file.text)));
  return py::make_tuple(list, files.lost);
}

// All files at once; of `names` those that are not among them go.
void write_folder(const std::string& folder, const py::dict& files, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [name, text] : files) texts.emplace_back(name.cast<std::string>(), text.cast<std::string>());
  without_gil([&] {
    report::FolderUpdate update(folder.empty() ? "." : folder);
    for (const auto& [name, text] : texts) update.write(name, text);
    const std::vector<std::string_view> all(names.begin(), names.end());
    update.finish(all);
  });
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<Problem>(module, "Problem")
      .def_property_readonly("title", [](const Problem& problem) { return problem.content->title; })
      .def_property_readonly("file", [](const Problem& problem) { return problem.content->file; })
      .def_property_readonly("is_petab", [](const Problem& problem) { return problem.content->petab.has_value(); })
      .def_property_readonly("data_files", [](const Problem& problem) { return problem.content->data_files; })
      .def_property_readonly("remarks", [](const Problem& problem) { return problem.content->remarks; })
      .def_property_readonly("warnings", [](const Problem& problem) { return to_python(problem.content->warnings); })
      .def("contents", [](const Problem& problem) { return contents(*problem.content); });
  module.def("read", &read, py::arg("path"));
  module.def("read_given", &read_given, py::arg("main"), py::arg("files"), py::arg("data"));
  module.def("changed", &changed, py::arg("problem"), py::arg("keywords"));
  module.def("unknown_names", &unknown_names, py::arg("problem"), py::arg("names"));
  module.def("written", &written, py::arg("problem"), py::arg("stem"));
  module.def("write_folder", &write_folder, py::arg("folder"), py::arg("files"), py::arg("names"));
}

}  // namespace salvo::python
