#include "fit.hpp"

#include <pybind11/stl.h>

#include "errors.hpp"
#include "options/prepare.hpp"
#include "problem.hpp"
#include "pump.hpp"
#include "report/run_status.hpp"
#include "runs/folder.hpp"
#include "runs/prepared_run.hpp"
#include "runs/status.hpp"
#include "runs/worker.hpp"
#include "salvo/report.hpp"
#include "without_gil.hpp"
#include "words.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

using options::Door;

// A finished fit, from which the texts and files that the program would write are made when they are wanted.
struct FinishedFit {
  std::shared_ptr<const runs::PreparedRun> run{};
  FitResult result{};
  std::vector<std::string> notes{};  // about the folder that it was written into

  const model::Problem& problem() const { return run->problem; }
  report::RunRecord record() const {
    return {.seed = run->options.seed, .threads = run->options.threads, .files = run->problem.files_read};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    const report::RunRecord how = record();
    for (const report::FileText& file : report::fit_files(problem(), result, how)) found.push_back(file.name);
    return found;
  }
  py::bytes file(const std::string& name) const {
    std::string text;
    without_gil([&] {
      const report::RunRecord how = record();
      for (const report::FileText& file : report::fit_files(problem(), result, how))
        if (file.name == name) file.text([&](std::string_view piece) { text += piece; });
    });
    return text;
  }
  std::string json() const { return report::fit_json(problem(), result); }
  std::string summary(bool colour, std::size_t width) const {
    std::string text = report::fit_summary(problem(), result, colour, width);
    if (result.profiles) text += "\n" + report::profiles_summary(result, colour);
    return text;
  }
  std::string profiles_json() const { return report::profiles_json(result); }
  std::string profiles_summary() const {
    return result.profiles ? report::profiles_summary(result, false) : result.message + "\n";
  }
  void write(const std::string& folder) const {
    without_gil([&] { report::write_fit(problem(), result, folder, record()); });
  }
};

// What a call says, checked; nothing has been computed yet.
struct Wanted {
  std::shared_ptr<runs::PreparedRun> run{};
  std::shared_ptr<runs::OpenRun> open{};  // null: nothing is kept
};

runs::RunWords run_words(const Words& words) {
  runs::RunWords run{.command = words.word("command").value_or("fit"),
                     .problem = words.word("file").value_or(""),
                     .fit = fit_words(words),
                     .profile = {.parameters = words.list("parameters"),
                                 .predict = words.list("predict"),
                                 .level = words.word("level")},
                     .truth = words.assignments("truth"),
                     .replicates = words.word("replicates")};
  run.fit.profiles = run.command == "fit" && words.flag("profiles");
  return run;
}

Wanted read_call(const Problem& problem, const py::dict& given) {
  const Words words(given);
  Wanted wanted{.run = std::make_shared<runs::PreparedRun>(
                    value_or_raise(runs::prepare_run(run_words(words), *problem.content, Door::keywords)))};
  const options::Word out = words.word("out");
  const runs::Opening opening{
      .resume = words.flag("resume"), .changes = words.word("changes").value_or(""), .door = Door::keywords};
  if (!out && opening.resume)
    raise_if_any({options::usage_issue("resume needs the folder of the run", "name it by out=...")});
  if (!out) return wanted;
  raise_if_any(options::check_folder(*out, Door::keywords));
  wanted.open = std::make_shared<runs::OpenRun>(value_or_raise(runs::open_run(*out, *wanted.run, opening)));
  return wanted;
}

RunContext kept(const Wanted& wanted, const RunContext& context) {
  return wanted.open ? runs::with_files_of(*wanted.open, context) : context;
}

FinishedFit begun(const Wanted& wanted) { return {.run = wanted.run}; }

FitResult compute(const Wanted& wanted, const RunContext& context) {
  return std::get<FitResult>(runs::compute(*wanted.run, kept(wanted, context)));
}

// Writes what was reached where it was to be written.
std::vector<std::string> written(const Wanted& wanted, const runs::RunResult& result) {
  std::vector<std::string> notes = wanted.open->notes;
  without_gil([&] {
    runs::write_results(*wanted.run, result, wanted.open->folder);
    for (std::string& note : runs::close_run(*wanted.open, result)) notes.push_back(std::move(note));
  });
  return notes;
}

FinishedFit run_fit(const Problem& problem, const py::dict& given, const py::object& listener) {
  const Wanted wanted = read_call(problem, given);
  FinishedFit finished = begun(wanted);
  run_and_listen([&](const RunContext& context) { finished.result = compute(wanted, context); }, listener);
  if (wanted.open) finished.notes = written(wanted, finished.result);
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
  const Wanted wanted = read_call(problem, given);
  runs::RunResult result;
  run_and_listen([&](const RunContext& context) { result = runs::compute(*wanted.run, kept(wanted, context)); },
                 listener);
  const std::vector<std::string> notes = wanted.open ? written(wanted, result) : std::vector<std::string>{};
  const fit::StudyResult& study = std::get<fit::StudyResult>(result);
  return py::make_tuple(report::study_json(study), report::study_summary(study), notes);
}

// How far a run has come, whoever works on it.
py::tuple status_of(const std::string& folder) {
  const report::RunStatus status = value_or_raise(runs::status(folder));
  return py::make_tuple(report::run_status_json(status), report::run_status_summary(status));
}

// Writes the results of what is finished; whether that is all.
bool gather(const std::string& folder) {
  std::optional<Result<runs::Gathered>> gathered;
  run_and_listen([&](const RunContext& context) { gathered.emplace(runs::gather(folder, context)); }, py::none());
  return value_or_raise(std::move(*gathered)).is_complete;
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
      .def("write", &FinishedFit::write, py::arg("folder"))
      .def_readonly("notes", &FinishedFit::notes);
  py::class_<FitRun>(module, "FitRun")
      .def(py::init<const Problem&, const py::dict&>(), py::arg("problem"), py::arg("keywords"))
      .def("next", &FitRun::next)
      .def("stop", &FitRun::stop)
      .def("result", &FitRun::result);
  module.def("fit", &run_fit, py::arg("problem"), py::arg("keywords"), py::arg("listener"));
  module.def("study", &run_study, py::arg("problem"), py::arg("keywords"), py::arg("listener"));
  module.def("status", &status_of, py::arg("folder"));
  module.def("gather", &gather, py::arg("folder"));
  module.def("without_profile", &without_profile, py::arg("problem"), py::arg("names"));
  module.def("stop_all", &Pump::stop_all);
}

}  // namespace salvo::python
