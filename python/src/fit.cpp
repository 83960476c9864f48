#include "fit.hpp"

#include <pybind11/stl.h>

#include "errors.hpp"
#include "options/prepare.hpp"
#include "problem.hpp"
#include "pump.hpp"
#include "salvo/report.hpp"
#include "without_gil.hpp"
#include "words.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

using options::Door;

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
  std::string profiles_json() const { return report::profiles_json(result); }
  std::string profiles_summary() const {
    return result.profiles ? report::profiles_summary(result, false) : result.message + "\n";
  }
  void write(const std::string& folder) const {
    without_gil([&] { report::write_fit(*problem, result, folder, record); });
  }
};

// What a call says, checked; nothing has been computed yet.
struct Wanted {
  std::shared_ptr<const model::Problem> problem{};
  fit::Options options{};
  std::optional<fit::ProfileOptions> profiles{};  // present: they are wanted, too
};

Wanted read_call(const Problem& problem, const py::dict& given) {
  const Words words(given);
  options::PreparedFit prepared =
      value_or_raise(options::prepare_fit(fit_words(words), *problem.content, Door::keywords));
  Wanted wanted{.problem = problem.content, .options = std::move(prepared.options)};
  if (words.flag("profiles"))
    wanted.profiles = value_or_raise(options::prepare_profiles(
        {.parameters = words.list("parameters"), .predict = words.list("predict"), .level = words.word("level")},
        *problem.content, Door::keywords));
  if (const options::Word out = words.word("out")) raise_if_any(options::check_folder(*out, Door::keywords));
  return wanted;
}

FinishedFit begun(const Wanted& wanted) {
  return {
      .problem = wanted.problem,
      .record = {.seed = wanted.options.seed, .threads = wanted.options.threads, .files = wanted.problem->files_read}};
}

FitResult compute(const Wanted& wanted, const RunContext& context) {
  return wanted.profiles ? fit::profile(*wanted.problem, wanted.options, *wanted.profiles, context)
                         : fit::fit(*wanted.problem, wanted.options, context);
}

FinishedFit run_fit(const Problem& problem, const py::dict& given, const py::object& listener) {
  const Wanted wanted = read_call(problem, given);
  FinishedFit finished = begun(wanted);
  run_and_listen([&](const RunContext& context) { finished.result = compute(wanted, context); }, listener);
  return finished;
}

// A fit whose events are asked for one by one.
class FitRun {
 public:
  FitRun(const Problem& problem, const py::dict& given)
      : wanted_(read_call(problem, given)),
        finished_(begun(wanted_)),
        pump_([this](const RunContext& context) { finished_.result = compute(wanted_, context); }) {}

  // The next events; none once the fit is finished. The first Ctrl-C makes it finish with what it has reached.
  py::list next() {
    py::list events;
    while (events.empty() && !is_over_) {
      pump_.wait();
      is_over_ = pump_.is_done();
      for (const Event& event : pump_.take()) events.append(to_python(event));
      if (PyErr_CheckSignals() != 0) {
        py::error_already_set error;
        if (!error.matches(PyExc_KeyboardInterrupt) || pump_.is_stopped()) throw error;
        pump_.stop();
      }
    }
    return events;
  }
  void stop() { pump_.stop(); }
  const FinishedFit& result() {
    while (!pump_.is_done()) next();
    if (!is_joined_) pump_.finish();
    is_joined_ = true;
    return finished_;
  }

 private:
  Wanted wanted_;
  FinishedFit finished_;
  bool is_over_ = false;
  bool is_joined_ = false;
  Pump pump_;  // last, so that it ends first
};

py::tuple run_study(const Problem& problem, const py::dict& given, const py::object& listener) {
  const Words words(given);
  fit::StudyOptions options;
  options::OptionReader reader(Door::keywords);
  options.replicates =
      reader.count("--replicates", words.word("replicates"), 1, options::most_replicates).value_or(options.replicates);
  const std::vector<std::string> truth = words.assignments("truth");
  options.truth = reader.assignments("--truth", truth);
  raise_if_any(reader.issues());
  options.fit = value_or_raise(options::prepare_fit(fit_words(words), *problem.content, Door::keywords)).options;
  if (words.word("intervals")) options.intervals = options.fit.intervals;
  raise_if_any(options::check_option_names(*problem.content, options.truth, "--truth", Door::keywords));
  if (const options::Word out = words.word("out")) raise_if_any(options::check_folder(*out, Door::keywords));
  fit::StudyResult result;
  run_and_listen([&](const RunContext& context) { result = fit::study(*problem.content, options, context); }, listener);
  return py::make_tuple(report::study_json(result), report::study_summary(result));
}

// Those of the names that no profile can be of.
std::vector<std::string> without_profile(const Problem& problem, const std::vector<std::string>& names) {
  std::vector<std::string> unknown;
  for (const std::string& name : names)
    if (!fit::check_profiles(*problem.content, {.ids = {name}}).empty()) unknown.push_back(name);
  return unknown;
}

}  // namespace

void bind_fit(py::module_& module) {
  py::class_<FinishedFit>(module, "FinishedFit")
      .def("names", &FinishedFit::names)
      .def("file", &FinishedFit::file, py::arg("name"))
      .def("json", &FinishedFit::json)
      .def("summary", &FinishedFit::summary, py::arg("colour") = false, py::arg("width") = 80)
      .def("profiles_json", &FinishedFit::profiles_json)
      .def("profiles_summary", &FinishedFit::profiles_summary)
      .def("write", &FinishedFit::write, py::arg("folder"));
  py::class_<FitRun>(module, "FitRun")
      .def(py::init<const Problem&, const py::dict&>(), py::arg("problem"), py::arg("keywords"))
      .def("next", &FitRun::next)
      .def("stop", &FitRun::stop)
      .def("result", &FitRun::result);
  module.def("fit", &run_fit, py::arg("problem"), py::arg("keywords"), py::arg("listener"));
  module.def("study", &run_study, py::arg("problem"), py::arg("keywords"), py::arg("listener"));
  module.def("without_profile", &without_profile, py::arg("problem"), py::arg("names"));
  module.def("stop_all", &Pump::stop_all);
}

}  // namespace salvo::python
