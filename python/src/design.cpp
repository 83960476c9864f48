#include "design.hpp"

#include <pybind11/stl.h>

#include "errors.hpp"
#include "evaluate.hpp"
#include "options/prepare.hpp"
#include "problem.hpp"
#include "salvo/design.hpp"
#include "salvo/read.hpp"
#include "words.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

using options::Door;

// The problem with the section that was said, or with its own.
model::Problem with_section(const Problem& problem, const std::optional<std::string>& section) {
  if (section) return value_or_raise(formats::read_design_text(*problem.content, *section, "design"));
  if (!problem.content->design)
    raise_if_any({Issue{.message = "the problem does not say what could be measured next",
                        .hint = "say measure=[...] and budget=..., or add a section 'design' to its file"}});
  return *problem.content;
}

// The points of `over`: those that were given, or those of the fit whose text was.
std::vector<std::map<std::string, double>> draws_for(const model::Problem& problem,
                                                     std::vector<std::map<std::string, double>> given,
                                                     const options::Word& fit_json) {
  if (!given.empty() || !fit_json) return given;
  return report::designs::draws_in(*fit_json, problem.design->over);
}

// The result as JSON and as text for people, and the files of its folder.
py::tuple run_design(const Problem& problem, const std::optional<std::string>& section,
                     std::vector<std::map<std::string, double>> draws, const py::dict& given) {
  const Words words(given);
  const model::Problem designed = with_section(problem, section);
  options::OptionReader reader(Door::keywords);
  design::Options options{.values = words.values("values"),
                          .draws = draws_for(designed, std::move(draws), words.word("fit_json"))};
  options.integrator = reader.integrator({words.word("integrator"), words.word("rtol"), words.word("atol")},
                                         designed.settings.integrator);
  options.seed = reader.seed("--seed", words.word("seed")).value_or(options.seed);
  raise_if_any(reader.issues());
  design::Result result;
  run_or_raise([&](const RunContext& context) { result = design::design(designed, options, context); });
  py::dict files;
  files["design.csv"] = py::bytes(report::designs::csv(result));
  files["report.html"] = py::bytes(report::designs::page(designed, result));
  return py::make_tuple(report::designs::json(designed, result), report::designs::summary(designed, result, false),
                        files);
}

}  // namespace

void bind_design(py::module_& module) {
  module.def("design", &run_design, py::arg("problem"), py::arg("section"), py::arg("draws"), py::arg("keywords"));
}

}  // namespace salvo::python
