#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "base/words.hpp"
#include "formats/petab/observables.hpp"
#include "formats/petab/words.hpp"
#include "model/faults.hpp"
#include "model/rest.hpp"

namespace salvo::formats::petab {
namespace {

using expression::no_node;
using model::Distribution;

bool is_log(Distribution law) { return law == Distribution::log_normal || law == Distribution::log_laplace; }

// An observable with its placeholders filled, as formulas of the problem.
struct Filled {
  NodeId formula = no_node;
  NodeId noise = no_node;
};

class MeasurementReader {
 public:
  MeasurementReader(Draft& draft, const std::vector<ObservableRow>& observables, const Runs& runs,
                    sbml::Resolver& resolver)
      : draft_(draft), table_(draft.measurements), observables_(observables), runs_(runs), resolver_(resolver) {
    for (std::size_t i = 0; i < observables.size(); ++i) known_.emplace(observables[i].id, static_cast<int>(i));
  }

  void read() {
    for (const char* name : {"observableId", "time", "measurement"})
      if (!table_.files.empty() && table_.column(name) < 0)
        draft_.log.add({.file = table_.files[0],
                        .line = 1,
                        .column = 1,
                        .message = fmt::format("the column '{}' is missing", name)});
    if (!draft_.log.empty()) return;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) read_row(table_.rows[i], runs_.of_measurement[i]);
    if (table_.rows.empty() && !table_.files.empty())
      draft_.log.add({.file = table_.files[0], .line = 1, .column = 1, .message = "the table holds no measurements"});
    if (!draft_.log.empty()) return;
    share_equal_noise();
    name_variants();
  }

 private:
  void complain(const Row& row, int column, const std::string& message, const std::string& hint = {}) {
    draft_.add(table_, row, column, message, hint);
  }

  void read_row(const Row& row, int run) {
    const auto found = known_.find(table_.text(row, observable_));
    if (found == known_.end())
      return complain(row, observable_,
                      fmt::format("unknown observable '{}'", table_.text(row, observable_).substr(0, 60)));
    const auto time = read_time(row, run);
    const auto value = read_value(row, observables_[found->second]);
    const Filled* written = fill(row, found->second);
    if (!time || !value || written == nullptr) return;
    const Filled filled = runs_.all[run].at_rest ? after_all_time(*written) : *written;
    model::Measurement measurement{.experiment = run, .time = *time, .value = *value};
    if (draft_.model.graph.is_constant(filled.noise)) measurement.sigma = draft_.model.graph[filled.noise].value;
    measurement.observable = observable_index(found->second, filled, measurement.sigma.has_value());
    draft_.problem.measurements.push_back(measurement);
  }

  Filled after_all_time(const Filled& filled) {
    const NodeId time = draft_.model.time;
    const NodeId late = draft_.model.graph.constant(model::for_ever);
    const auto both =
        expression::substitute(draft_.model.graph, std::vector{filled.formula, filled.noise}, {&time, 1}, {&late, 1});
    return {both[0], both[1]};
  }

  std::optional<double> read_time(const Row& row, int run) {
    const auto time = parse_number(table_.text(row, time_));
    if (!time || *time == -std::numeric_limits<double>::infinity()) {
      complain(row, time_,
               fmt::format("the time must be a number or inf, but is '{}'", table_.text(row, time_).substr(0, 40)));
      return std::nullopt;
    }
    if (model::is_too_late(*time)) {
      complain(row, time_, fmt::format("the time {} is too far from zero to compute with", number_text(*time)));
      return std::nullopt;
    }
    if (runs_.all[run].at_rest) return runs_.all[run].periods.front().time;
    const double start = runs_.all[run].periods.front().time;
    if (*time >= start) return time;
    complain(row, time_, fmt::format("the time {} is before the start at {}", number_text(*time), number_text(start)));
    return std::nullopt;
  }

  std::optional<double> read_value(const Row& row, const ObservableRow& observable) {
    const auto value = parse_number(table_.text(row, value_));
    if (!value || !std::isfinite(*value)) {
      complain(
          row, value_,
          fmt::format("the measurement must be a finite number, but is '{}'", table_.text(row, value_).substr(0, 40)));
      return std::nullopt;
    }
    if (is_log(observable.distribution) && !(*value > 0)) {
      complain(row, value_,
               fmt::format("the noise of {} is logarithmic, so {} cannot have been measured", observable.id,
                           number_text(*value)));
      return std::nullopt;
    }
    return value;
  }

  // The same texts in two rows mean the same.
  const Filled* fill(const Row& row, int index) {
    const std::tuple key{index, table_.text(row, observable_numbers_), table_.text(row, noise_numbers_)};
    const auto found = filled_.find(key);
    if (found != filled_.end()) return found->second.noise == no_node ? nullptr : &found->second;
    const ObservableRow& observable = observables_[index];
    std::vector<NodeId> from;
    std::vector<NodeId> to;
    const bool fits = put_in(row, observable_numbers_, observable.observable_placeholders, observable.id, from, to);
    const bool noise_fits = put_in(row, noise_numbers_, observable.noise_placeholders, observable.id, from, to);
    Filled& filled = filled_[key];
    if (!fits || !noise_fits || observable.noise == no_node) return nullptr;
    expression::Graph& graph = draft_.model.graph;
    const NodeId noise = graph.multiply(observable.noise, graph.constant(observable.noise_unit));
    const auto both = expression::substitute(graph, std::vector<NodeId>{observable.formula, noise}, from, to);
    filled = {resolver_.resolve(both[0]), resolver_.resolve(both[1])};
    return &filled;
  }

  bool put_in(const Row& row, int column, const std::vector<NodeId>& placeholders, const std::string& id,
              std::vector<NodeId>& from, std::vector<NodeId>& to) {
    const std::string& cell = table_.text(row, column);
    const std::vector<std::string> words = is_missing(cell) ? std::vector<std::string>{} : split(cell);
    if (words.size() < placeholders.size() || (placeholders.empty() && !words.empty()) ||
        words.size() > placeholders.size()) {
      complain(row, column,
               fmt::format("{} has {}, but here {} given", id,
                           counted(static_cast<long>(placeholders.size()), "placeholder"),
                           words.size() == 1 ? "1 value is" : fmt::format("{} values are", words.size())),
               "values are separated by ';'");
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < words.size(); ++i) {
      from.push_back(placeholders[i]);
      to.push_back(
          draft_.number_or_name(table_, row, column, words[i], fmt::format("what stands for a placeholder of {}", id)));
      good &= to.back() != no_node;
    }
    return good;
  }

  int observable_index(int row, const Filled& filled, bool noise_is_number) {
    const std::tuple key{row, filled.formula, noise_is_number ? no_node : filled.noise};
    const auto [place, is_new] = made_.emplace(key, static_cast<int>(draft_.problem.observables.size()));
    if (is_new) {
      const ObservableRow& its = observables_[row];
      model::Observable observable{
          .id = its.id, .formula = filled.formula, .distribution = its.distribution, .noise_unit = its.noise_unit};
      if (!noise_is_number) observable.noise = filled.noise;
      draft_.problem.observables.push_back(std::move(observable));
    }
    return place->second;
  }

  // Where every measurement of an observable has the same number for its noise, the noise is the observable's.
  void share_equal_noise() {
    model::Problem& problem = draft_.problem;
    std::vector<std::optional<double>> first(problem.observables.size());
    std::vector<bool> differs(problem.observables.size(), false);
    for (const model::Measurement& measurement : problem.measurements) {
      if (!measurement.sigma) continue;
      auto& sigma = first[measurement.observable];
      if (sigma && *sigma != *measurement.sigma) differs[measurement.observable] = true;
      sigma = measurement.sigma;
    }
    for (std::size_t i = 0; i < first.size(); ++i)
      if (first[i] && !differs[i]) problem.observables[i].noise = draft_.model.graph.constant(*first[i]);
    for (model::Measurement& measurement : problem.measurements)
      if (measurement.sigma && !differs[measurement.observable]) measurement.sigma.reset();
  }

  void name_variants() {
    std::map<std::string, int> uses;
    for (const model::Observable& observable : draft_.problem.observables) ++uses[observable.id];
    std::map<std::string, int> numbers;
    for (model::Observable& observable : draft_.problem.observables)
      if (uses[observable.id] > 1) observable.id = fmt::format("{}_{}", observable.id, ++numbers[observable.id]);
  }

  Draft& draft_;
  const Table& table_;
  const std::vector<ObservableRow>& observables_;
  const Runs& runs_;
  sbml::Resolver& resolver_;
  const int observable_ = table_.column("observableId");
  const int time_ = table_.column("time");
  const int value_ = table_.column("measurement");
  const int observable_numbers_ = table_.column("observableParameters");
  const int noise_numbers_ = table_.column("noiseParameters");
  std::map<std::string, int> known_;
  std::map<std::tuple<int, std::string, std::string>, Filled> filled_;
  std::map<std::tuple<int, NodeId, NodeId>, int> made_;
};

}  // namespace

void read_measurements(Draft& draft, const std::vector<ObservableRow>& observables, const Runs& runs,
                       sbml::Resolver& resolver) {
  MeasurementReader(draft, observables, runs, resolver).read();
}

}  // namespace salvo::formats::petab
