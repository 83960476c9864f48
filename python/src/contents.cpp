#include <fmt/format.h>
#include <pybind11/stl.h>

#include <limits>

#include "base/words.hpp"
#include "expression/print.hpp"
#include "numbers.hpp"
#include "problem.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

std::string text_of(const std::optional<model::Prior>& prior) {
  if (!prior) return {};
  return fmt::format("{}({}, {}){}", model::to_string(prior->law), number_text(prior->location),
                     number_text(prior->spread), prior->on_scale ? " on the scale" : "");
}

class Quantities {
 public:
  void add(const std::string& name, const char* kind, const model::Estimated& its) {
    row(name, kind, true, its.guess.value_or(std::numeric_limits<double>::quiet_NaN()), its.lower, its.upper);
    scale_.append(std::string(model::to_string(its.scale)));
    prior_.append(text_of(its.prior));
    unit_.append(its.axis.unit);
  }
  void add(const std::string& name, double constant) {
    row(name, "constant", false, constant, constant, constant);
    scale_.append("lin");
    prior_.append("");
    unit_.append("");
  }
  py::dict columns() {
    py::dict out;
    out["name"] = name_;
    out["kind"] = kind_;
    out["estimated"] = estimated_;
    out["value"] = Numbers(value_);
    out["lower"] = Numbers(lower_);
    out["upper"] = Numbers(upper_);
    out["scale"] = scale_;
    out["prior"] = prior_;
    out["unit"] = unit_;
    return out;
  }

 private:
  void row(const std::string& name, const char* kind, bool estimated, double value, double lower, double upper) {
    name_.append(name);
    kind_.append(kind);
    estimated_.append(estimated);
    value_.push_back(value);
    lower_.push_back(lower);
    upper_.push_back(upper);
  }
  py::list name_, kind_, estimated_, scale_, prior_, unit_;
  std::vector<double> value_, lower_, upper_;
};

py::dict parameters(const model::Problem& problem) {
  Quantities all;
  for (const model::Parameter& parameter : problem.parameters)
    if (const auto* its = std::get_if<model::Estimated>(&parameter.value))
      all.add(parameter.id, "parameter", *its);
    else
      all.add(parameter.id, std::get<double>(parameter.value));
  const bool several = problem.experiments.size() > 1;
  for (const model::Experiment& experiment : problem.experiments)
    for (std::size_t i = 0; i < experiment.initial.size() && experiment.initial_of < 0; ++i)
      if (const auto* its = std::get_if<model::Estimated>(&experiment.initial[i]))
        all.add(several ? experiment.id + ":" + problem.states[i].id : problem.states[i].id, "initial value", *its);
  return all.columns();
}

// Long data have few names: each is made once.
py::dict measurements(const model::Problem& problem) {
  std::vector<py::str> experiments, observables;
  for (const model::Experiment& experiment : problem.experiments) experiments.emplace_back(experiment.id);
  for (const model::Observable& observable : problem.observables) observables.emplace_back(observable.id);
  const py::str limits[] = {py::str(""), py::str("below"), py::str("above")}, fitted("fit"), held("validation");
  py::list experiment, observable, censored, set;
  std::vector<double> time, value, sigma;
  for (const auto* list : {&problem.measurements, &problem.validation})
    for (const model::Measurement& m : *list) {
      experiment.append(experiments[static_cast<std::size_t>(m.experiment)]);
      observable.append(observables[static_cast<std::size_t>(m.observable)]);
      censored.append(limits[static_cast<std::size_t>(m.censored)]);
      set.append(list == &problem.measurements ? fitted : held);
      time.push_back(m.time);
      value.push_back(m.value);
      sigma.push_back(m.sigma ? *m.sigma : std::numeric_limits<double>::quiet_NaN());
    }
  py::dict out;
  out["experiment"] = experiment;
  out["observable"] = observable;
  out["time"] = Numbers(std::move(time));
  out["value"] = Numbers(std::move(value));
  out["sigma"] = Numbers(std::move(sigma));
  out["censored"] = censored;
  out["set"] = set;
  return out;
}

py::dict experiments(const model::Problem& problem) {
  std::vector<int> count(problem.experiments.size(), 0);
  for (const model::Measurement& m : problem.measurements) ++count[static_cast<std::size_t>(m.experiment)];
  py::list name, set, rest;
  std::vector<double> start;
  for (const model::Experiment& experiment : problem.experiments) {
    std::vector<std::string> overrides;
    for (const auto& [parameter, formula] : experiment.overrides)
      overrides.push_back(fmt::format("{} = {}", problem.parameters[static_cast<std::size_t>(parameter)].id,
                                      expression::print(problem.graph, formula)));
    name.append(experiment.id);
    start.push_back(experiment.start);
    set.append(fmt::format("{}", fmt::join(overrides, ", ")));
    rest.append(experiment.equilibrate.has_value());
  }
  py::dict out;
  out["name"] = name;
  out["start"] = Numbers(std::move(start));
  out["set"] = set;
  out["begins_at_rest"] = rest;
  out["measurements"] = count;
  return out;
}

py::dict observables(const model::Problem& problem) {
  py::list name, formula, distribution, unit, label;
  for (const model::Observable& observable : problem.observables) {
    name.append(observable.id);
    formula.append(expression::print(problem.graph, observable.formula));
    distribution.append(std::string(model::to_string(observable.distribution)));
    unit.append(observable.axis.unit);
    label.append(observable.axis.label);
  }
  py::dict out;
  out["name"] = name;
  out["formula"] = formula;
  out["distribution"] = distribution;
  out["unit"] = unit;
  out["label"] = label;
  return out;
}

}  // namespace

py::dict contents(const model::Problem& problem) {
  std::vector<std::string> states;
  for (const model::State& state : problem.states) states.push_back(state.id);
  py::dict out;
  out["states"] = states;
  std::vector<std::string> derived;
  for (const model::Derived& each : problem.derived) derived.push_back(each.id);
  out["derived"] = derived;
  out["parameters"] = parameters(problem);
  out["measurements"] = measurements(problem);
  out["experiments"] = experiments(problem);
  out["observables"] = observables(problem);
  return out;
}

}  // namespace salvo::python
