#include "keywords.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/words.hpp"
#include "errors.hpp"
#include "model/faults.hpp"
#include "salvo/run.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

std::string shown(const py::handle& value) { return py::repr(value).cast<std::string>(); }

// A whole number, but not True and not 2.5.
std::optional<long long> whole(const py::handle& value) {
  if (py::isinstance<py::bool_>(value) || PyIndex_Check(value.ptr()) == 0) return std::nullopt;
  int overflow = 0;
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  const long long found = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) return std::nullopt;
  return found;
}

bool is_sequence(const py::handle& value) { return !py::isinstance<py::str>(value) && py::isinstance<py::iterable>(value); }

template <class... Alternatives>
std::vector<std::variant<Alternatives...>> all_alternatives(const std::variant<Alternatives...>&) {
  return {Alternatives{}...};
}

std::string name_of(const model::Integrator& integrator) {
  return std::visit([](const auto& alternative) { return std::string(alternative.name); }, integrator);
}

}  // namespace

py::object Keywords::get(const char* name) const {
  return given_.contains(name) ? py::object(given_[name]) : py::object(py::none());
}

std::optional<double> Keywords::finite(const py::handle& value) const {
  if (py::isinstance<py::bool_>(value) || py::isinstance<py::str>(value)) return std::nullopt;
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> Keywords::number(const char* name) {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  const auto found = finite(value);
  if (!found) refuse(name, "a number", value);
  return found;
}

std::optional<double> Keywords::positive(const char* name) {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  const auto found = finite(value);
  if (found && *found > 0) return found;
  refuse(name, "a number above 0", value);
  return std::nullopt;
}

std::optional<double> Keywords::between(const char* name, double least, double most) {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  const auto found = finite(value);
  if (found && *found >= least && *found <= most) return found;
  refuse(name, fmt::format("a number from {} to {}", number_text(least), number_text(most)), value);
  return std::nullopt;
}

std::optional<int> Keywords::count(const char* name, int least, int most) {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  const auto found = whole(value);
  if (found && *found >= least && *found <= most) return static_cast<int>(*found);
  refuse(name, fmt::format("a whole number from {} to {}", least, most), value);
  return std::nullopt;
}

std::optional<std::uint64_t> Keywords::seed(const char* name) {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  const auto found = whole(value);
  if (found && *found >= 0) return static_cast<std::uint64_t>(*found);
  refuse(name, "a whole number of at least 0", value);
  return std::nullopt;
}

std::optional<std::string> Keywords::word(const char* name) {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  refuse(name, "a word", value);
  return std::nullopt;
}

std::vector<std::string> Keywords::words(const char* name) {
  const py::object value = get(name);
  std::vector<std::string> found;
  if (value.is_none()) return found;
  if (py::isinstance<py::str>(value)) return {value.cast<std::string>()};
  if (!is_sequence(value)) refuse(name, "a name or a list of names", value);
  if (is_sequence(value))
    for (const py::handle& item : py::iterable(value)) {
      if (py::isinstance<py::str>(item)) found.push_back(item.cast<std::string>());
      if (!py::isinstance<py::str>(item)) refuse(name, "a name or a list of names", item);
    }
  return found;
}

std::optional<std::vector<double>> Keywords::times(const char* name) {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  std::vector<double> found;
  if (!is_sequence(value)) refuse(name, "a list of times", value);
  if (is_sequence(value))
    for (const py::handle& item : py::iterable(value)) {
      const auto time = finite(item);
      if (time && !model::is_too_late(*time)) found.push_back(*time);
      if (!time || model::is_too_late(*time)) refuse(name, "times that can be computed with", item);
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::map<std::string, double> Keywords::values(const char* name) {
  const py::object value = get(name);
  std::map<std::string, double> found;
  if (value.is_none()) return found;
  if (!py::isinstance<py::dict>(value)) {
    refuse(name, "names with numbers, like {'p1': 0.5}", value);
    return found;
  }
  for (const auto& [key, item] : value.cast<py::dict>()) {
    const auto number = finite(item);
    if (!py::isinstance<py::str>(key))
      refuse(name, "names with numbers, like {'p1': 0.5}", key);
    else if (!number)
      complain(fmt::format("{}: the value of '{}' is {}, which is not a finite number", name, key.cast<std::string>(), shown(item)));
    else
      found.emplace(key.cast<std::string>(), *number);
  }
  return found;
}

std::optional<model::Nodes> Keywords::nodes(const char* name) {
  constexpr const char* wants = "'auto', 'measurements', 'single', a number of intervals (at most 1000000), or a list of times";
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  if (py::isinstance<py::str>(value)) {
    const auto text = value.cast<std::string>();
    if (text == model::AutoNodes::name) return model::AutoNodes{};
    if (text == model::NodesAtMeasurements::name) return model::NodesAtMeasurements{};
    if (text == model::SingleInterval::name) return model::SingleInterval{};
  } else if (const auto intervals = whole(value); intervals && *intervals >= 1 && *intervals <= model::most_intervals) {
    return model::IntervalCount{static_cast<int>(*intervals)};
  } else if (is_sequence(value)) {
    return model::NodeTimes{*times(name)};
  }
  refuse(name, wants, value);
  return std::nullopt;
}

std::optional<estimate::Intervals> Keywords::intervals(const char* name) {
  const auto text = word(name);
  if (!text) return std::nullopt;
  if (*text == "auto") return estimate::Intervals::automatic;
  if (*text == "wald") return estimate::Intervals::wald;
  if (*text == "profile") return estimate::Intervals::profile;
  refuse(name, "'auto', 'wald' or 'profile'", get(name));
  return std::nullopt;
}

std::optional<model::Integrator> Keywords::integrator(const model::Integrator& of_problem) {
  const auto wanted = word("integrator");
  const auto rtol = between("rtol", model::smallest_rtol, model::largest_rtol);
  const auto atol = positive("atol");
  model::Integrator chosen = of_problem;
  if (wanted && *wanted != name_of(of_problem)) {
    std::vector<std::string> known;
    const auto all = all_alternatives(of_problem);
    for (const auto& alternative : all) known.push_back(name_of(alternative));
    const auto found = std::find(known.begin(), known.end(), *wanted);
    if (found == known.end()) {
      complain_about_word("integrator", *wanted, known);
      return std::nullopt;
    }
    chosen = all[static_cast<std::size_t>(found - known.begin())];
  }
  if (!fit::is_built_in(chosen))
    complain("the integrator cvodes needs SUNDIALS, which was not there when this package was built", "take 'rodas5p'");
  std::visit(
      [&](auto& alternative) {
        if constexpr (requires { alternative.rtol = 1e-8; }) {
          if (rtol) alternative.rtol = *rtol;
          if (atol) alternative.atol = *atol;
        } else if (rtol || atol) {
          complain(fmt::format("{} cannot be used with integrator {}, which has fixed steps", rtol ? "rtol" : "atol",
                               alternative.name));
        }
      },
      chosen);
  if (!wanted && !rtol && !atol) return std::nullopt;
  return chosen;
}

bool Keywords::flag(const char* name) {
  const py::object value = get(name);
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

void Keywords::complain(std::string message, std::string hint) {
  issues_.push_back({.kind = Issue::Kind::unreadable, .message = std::move(message), .hint = std::move(hint)});
}

void Keywords::refuse(const char* name, std::string_view wants, const py::handle& value) {
  complain(fmt::format("{} wants {}, not {}", name, wants, shown(value)));
}

void Keywords::complain_about_word(const char* name, const std::string& word, const std::vector<std::string>& known) {
  complain(fmt::format("{} does not know '{}'", name, word), hint_for_unknown(word, known));
}

void Keywords::raise_if_wrong() const { raise_if_any(issues_); }

fit::Options fit_options(Keywords& keywords, const model::Problem& problem) {
  fit::Options options;
  options.method = keywords.choice<model::Method>("method");
  options.derivatives = keywords.choice<model::Derivatives>("derivatives");
  options.nodes = keywords.nodes("nodes");
  options.start = keywords.choice<model::StartValues>("start");
  options.integrator = keywords.integrator(problem.settings.integrator);
  options.max_iterations = keywords.count("max_iterations", 1);
  options.tolerance = keywords.between("tolerance", 1e-13, 0.1)
                          .value_or(options.tolerance);
  options.max_seconds = keywords.positive("max_time");
  if (const auto megabytes = keywords.positive("memory")) options.memory = *megabytes * 1e6;
  const int threads = keywords.count("threads", 0).value_or(0);
  options.threads = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.starts = keywords.count("starts", 1, 100000).value_or(options.starts);
  options.seed = keywords.seed("seed").value_or(options.seed);
  options.guess = keywords.values("guess");
  options.effort = keywords.positive("effort").value_or(options.effort);
  options.intervals = keywords.intervals("intervals").value_or(options.intervals);
  options.spelling = as_keywords();
  return options;
}

Spelling as_keywords() {
  return {{Hint::iterations, "max_iterations="},
          {Hint::time, "max_time="},
          {Hint::effort, "effort="},
          {Hint::go_on, "guess="},
          {Hint::hold, "with_(fix=...)"},
          {Hint::guess, "guess="},
          {Hint::starts, "starts=20"},
          {Hint::nodes, "nodes="},
          {Hint::at_measurements, "nodes='measurements'"},
          {Hint::accuracy, "rtol=1e-11"},
          {Hint::tolerance, "rtol=1e-5"}};
}

}  // namespace salvo::python
