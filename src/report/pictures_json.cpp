#include "report/pictures_json.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/words.hpp"
#include "report/base64.hpp"
#include "report/json_number.hpp"
#include "report/version.hpp"
#include "report/visible_rows.hpp"
#include "results/goodness.hpp"

namespace salvo::report {
namespace {

constexpr double most_curve_numbers = 1.5e6;  // at the solution; as floats in base 64 they take 8 MB
constexpr double most_film_numbers = 3e5;     // on the way there, all together

Json observables_json(const model::Problem& problem) {
  Json list = Json::array();
  for (const auto& observable : problem.observables)
    list.push_back({{"id", observable.id},
                    {"axis", model::axis_text(observable.id, observable.axis)},
                    {"distribution", model::to_string(observable.distribution)}});
  return list;
}

Json experiments_json(const model::Problem& problem) {
  Json list = Json::array();
  for (const auto& experiment : problem.experiments) list.push_back(experiment.id);
  return list;
}

Json range_json(const model::Estimated& estimated) {
  Json json{{"lower", number(estimated.lower)}, {"upper", number(estimated.upper)}};
  json["guess"] = estimated.guess ? number(*estimated.guess) : Json(nullptr);
  return json;
}

// In the order of `parameters` and `initial` in fit.json; null for what the problem does not state.
Json ranges_json(const model::Problem& problem, const std::vector<Estimate>& estimates) {
  std::map<std::string, const model::Estimated*> stated;
  std::set<std::string> weights;
  for (int k = 0; k < static_cast<int>(problem.parameters.size()); ++k) {
    const model::Parameter& parameter = problem.parameters[k];
    if (const auto* estimated = std::get_if<model::Estimated>(&parameter.value)) stated[parameter.id] = estimated;
    if (model::is_weight(problem, k)) weights.insert(parameter.id);
  }
  for (const auto& experiment : problem.experiments)
    for (std::size_t k = 0; k < experiment.initial.size(); ++k)
      if (const auto* estimated = std::get_if<model::Estimated>(&experiment.initial[k]))
        stated[experiment.id + ":" + problem.states[k].id] = estimated;
  Json list = Json::array();
  for (const auto& estimate : estimates) {
    const auto found = stated.find(estimate.experiment.empty() ? estimate.id : estimate.experiment + ":" + estimate.id);
    list.push_back(found == stated.end() ? Json(nullptr) : range_json(*found->second));
    if (estimate.experiment.empty() && weights.contains(estimate.id)) list.back()["weight"] = true;
  }
  return list;
}

int side_of(model::Censored censored) {
  return censored == model::Censored::below ? -1 : censored == model::Censored::above ? 1 : 0;
}

constexpr std::size_t most_shorts = 65'536;

// Each time once and, row by row, which of them, where that is shorter.
void add_times(const std::vector<double>& column, Json& json) {
  std::vector<double> times = column;
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.size() > most_shorts || 8 * times.size() + 2 * column.size() > 8 * column.size()) {
    json["time"] = base64_of_doubles(column);
    return;
  }
  std::vector<int> places;
  for (const double time : column)
    places.push_back(static_cast<int>(std::ranges::lower_bound(times, time) - times.begin()));
  json["times"] = base64_of_doubles(times);
  json["at"] = base64_of_shorts(places);
}

// Rows by columns: long data take much memory.
class DataColumns {
 public:
  DataColumns(const std::vector<model::Measurement>& measurements, const std::vector<Prediction>& predictions)
      : measurements_(measurements),
        visible_(visible_rows(measurements)),
        prediction_of_(measurements.size(), nullptr) {
    for (const Prediction& prediction : predictions)
      prediction_of_[static_cast<std::size_t>(prediction.row)] = &prediction;
  }

  const VisibleRows& visible() const { return visible_; }

  template <class Number, class Of>
  std::vector<Number> of(const Of& field) const {
    std::vector<Number> column;
    for (const int row : visible_.rows)
      column.push_back(std::invoke(field, measurements_[static_cast<std::size_t>(row)]));
    return column;
  }
  // Of a measurement that nothing was predicted for, what `without` holds.
  template <class Of>
  std::vector<double> predicted(std::vector<double> without, const Of& field) const {
    for (std::size_t k = 0; k < without.size(); ++k)
      if (const Prediction* its = prediction_of_[static_cast<std::size_t>(visible_.rows[k])]; its != nullptr)
        without[k] = std::invoke(field, *its);
    return without;
  }

 private:
  const std::vector<model::Measurement>& measurements_;
  VisibleRows visible_;
  std::vector<const Prediction*> prediction_of_;
};

// A number for each observable whose sigma is one, or nothing.
std::optional<std::vector<double>> common_sigmas(const std::vector<int>& observable, const std::vector<double>& sigma,
                                                 std::size_t observables) {
  std::vector<double> common(observables, std::numeric_limits<double>::quiet_NaN());
  std::vector<bool> is_known(observables, false);
  for (std::size_t i = 0; i < sigma.size(); ++i) {
    const auto k = static_cast<std::size_t>(observable[i]);
    const bool is_same = sigma[i] == common[k] || (std::isnan(sigma[i]) && std::isnan(common[k]));
    if (is_known[k] && !is_same) return std::nullopt;
    is_known[k] = true;
    common[k] = sigma[i];
  }
  return common;
}

Json data_json(const model::Problem& problem, const std::vector<model::Measurement>& measurements,
               const std::vector<Prediction>& predictions) {
  using model::Measurement;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const DataColumns columns(measurements, predictions);
  const std::vector<double> unknown(columns.visible().rows.size(), nan);
  const std::vector<int> observable = columns.of<int>(&Measurement::observable);
  Json json{{"count", columns.visible().rows.size()}, {"measured", measurements.size()}};
  const int observables = static_cast<int>(problem.observables.size());
  if (problem.experiments.size() * problem.observables.size() <= most_shorts) {
    json["panel"] = base64_of_shorts(
        columns.of<int>([&](const Measurement& m) { return m.experiment * observables + m.observable; }));
  } else {
    json["experiment"] = base64_of_integers(columns.of<int>(&Measurement::experiment));
    json["observable"] = base64_of_integers(observable);
  }
  add_times(columns.of<double>(&Measurement::time), json);
  json["value"] = base64_of_floats(columns.of<double>(&Measurement::value));
  const auto own_sigma = [](const Measurement& m) { return m.sigma.value_or(nan); };
  const std::vector<double> sigma = columns.predicted(columns.of<double>(own_sigma), &Prediction::sigma);
  if (const auto common = common_sigmas(observable, sigma, problem.observables.size())) {
    json["sigmas"] = Json::array();
    for (const double each : *common) json["sigmas"].push_back(number(each));
  } else {
    json["sigma"] = base64_of_floats(sigma);
  }
  json["simulation"] = base64_of_floats(columns.predicted(unknown, &Prediction::simulation));
  json["residual"] = base64_of_floats(columns.predicted(unknown, &Prediction::score));
  if (std::ranges::any_of(measurements, [](const Measurement& m) { return m.censored != model::Censored::no; }))
    json["limit"] = base64_of_integers(columns.of<int>([](const Measurement& m) { return side_of(m.censored); }));
  if (!columns.visible().weights.empty()) json["weight"] = base64_of_integers(columns.visible().weights);
  return json;
}

// The points that a line through them is drawn by: where pieces begin and, of curved ones, between.
Json input_json(const model::Input& input, const model::InputCurve& curve, const std::vector<int>& experiments) {
  constexpr std::size_t most_points = 2'000;
  constexpr int inside = 8;  // of a cubic piece
  const auto& pieces = curve.pieces();
  const std::size_t stride = pieces.size() / most_points + 1;
  std::vector<double> time;
  std::vector<double> value;
  for (std::size_t k = 0; k < pieces.size(); k += stride) {
    const double begin = std::max(pieces[k].begin, curve.begin());
    const double end = k + stride < pieces.size() ? pieces[k + stride].begin : curve.end();
    const int points = input.interpolation == model::Interpolation::cubic ? inside : 1;
    for (int i = 0; i < points && (i == 0 || end > begin); ++i) {
      time.push_back(begin + (end - begin) * i / points);
      value.push_back(curve.at(time.back()));
    }
  }
  time.push_back(curve.end());
  value.push_back(curve.at(curve.end()));
  return {{"id", input.id},
          {"steps", input.interpolation == model::Interpolation::constant},
          {"experiments", experiments},
          {"time", base64_of_doubles(time)},
          {"value", base64_of_floats(value)}};
}

// Each curve once, with the experiments that it acts in.
Json inputs_json(const model::Problem& problem) {
  Json list = Json::array();
  for (const model::Input& input : problem.inputs) {
    std::map<std::shared_ptr<const model::InputCurve>, std::vector<int>> acts_in;
    for (std::size_t e = 0; e < input.of_experiment.size(); ++e)
      if (input.of_experiment[e]) acts_in[input.of_experiment[e]].push_back(static_cast<int>(e));
    std::vector<std::pair<std::vector<int>, const model::InputCurve*>> in_order;
    for (const auto& [curve, experiments] : acts_in) in_order.push_back({experiments, curve.get()});
    std::ranges::sort(in_order);
    for (const auto& [experiments, curve] : in_order) list.push_back(input_json(input, *curve, experiments));
  }
  return list;
}

Json autocorrelation_json(const model::Problem& problem, const FitResult& result) {
  Json list = Json::array();
  for (const Autocorrelation& own : autocorrelation_by_observable(problem, result.predictions)) {
    Json lags = Json::array();
    for (const double lag : own.lags) lags.push_back(number(lag));
    list.push_back({{"count", own.count}, {"lags", std::move(lags)}});
  }
  return list;
}

// Which of the points of an arc are drawn: every `stride`-th, the first and the last.
std::vector<int> drawn_points(const Arc& arc, int stride) {
  std::vector<int> points;
  const int count = static_cast<int>(arc.time.size());
  for (int i = 0; i < count; i += stride) points.push_back(i);
  if (!points.empty() && points.back() != count - 1) points.push_back(count - 1);
  return points;
}

// The arcs of one experiment, one after the other: how long each is, of which interval, the times, and every observable
// at these.
struct Lines {
  std::vector<int> lengths{};
  std::vector<int> intervals{};
  std::vector<double> time{};
  std::vector<std::vector<double>> value{};
  std::vector<std::vector<double>> lower{};  // of the band
  std::vector<std::vector<double>> upper{};
  std::vector<std::vector<double>> lower_new{};  // of that of new observations
  std::vector<std::vector<double>> upper_new{};
  bool has_band = true;

  void add(const Arc& arc, int stride) {
    const std::vector<int> points = drawn_points(arc, stride);
    const auto observables = static_cast<std::size_t>(arc.observables.rows);
    const bool known = arc.band.lower.cols == arc.observables.cols && arc.band.lower.rows == arc.observables.rows;
    has_band = has_band && known;
    value.resize(std::max(value.size(), observables));
    for (auto* ends : {&lower, &upper, &lower_new, &upper_new}) ends->resize(value.size());
    lengths.push_back(static_cast<int>(points.size()));
    intervals.push_back(arc.interval);
    for (const int i : points) {
      time.push_back(arc.time[static_cast<std::size_t>(i)]);
      for (int k = 0; k < arc.observables.rows; ++k) {
        value[static_cast<std::size_t>(k)].push_back(arc.observables(k, i));
        if (!known) continue;
        lower[static_cast<std::size_t>(k)].push_back(arc.band.lower(k, i));
        upper[static_cast<std::size_t>(k)].push_back(arc.band.upper(k, i));
        lower_new[static_cast<std::size_t>(k)].push_back(arc.band.lower_new(k, i));
        upper_new[static_cast<std::size_t>(k)].push_back(arc.band.upper_new(k, i));
      }
    }
  }
};

Json columns_json(const std::vector<std::vector<double>>& columns) {
  Json list = Json::array();
  for (const auto& column : columns) list.push_back(base64_of_floats(column));
  return list;
}

// Where new observations would lie is drawn in experiments in which something is to be predicted.
Json curves_json(const std::vector<Arc>& arcs, int stride, const std::set<int>& predicted = {}) {
  std::map<int, Lines> by_experiment;
  for (const auto& arc : arcs) by_experiment[arc.experiment].add(arc, stride);
  Json list = Json::array();
  for (const auto& [experiment, lines] : by_experiment) {
    Json json{{"experiment", experiment},
              {"lengths", base64_of_integers(lines.lengths)},
              {"intervals", base64_of_integers(lines.intervals)},
              {"time", base64_of_doubles(lines.time)},
              {"value", columns_json(lines.value)}};
    if (lines.has_band) json["lower"] = columns_json(lines.lower);
    if (lines.has_band) json["upper"] = columns_json(lines.upper);
    if (lines.has_band && predicted.contains(experiment)) {
      json["lower_new"] = columns_json(lines.lower_new);
      json["upper_new"] = columns_json(lines.upper_new);
    }
    list.push_back(std::move(json));
  }
  return list;
}

std::set<int> predicted_in(const model::Problem& problem) {
  std::set<int> experiments;
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e)
    if (!problem.experiments[e].predicted_at.empty()) experiments.insert(e);
  return experiments;
}

double numbers_of(const std::vector<Arc>& arcs) {
  double numbers = 0;
  for (const auto& arc : arcs)
    numbers += static_cast<double>(arc.observables.data.size() + 2 * arc.band.lower.data.size());
  return numbers;
}
int stride_for(double numbers, double most) { return std::max(1, static_cast<int>(std::ceil(numbers / most))); }

Json film_json(const std::vector<Frame>& film) {
  double numbers = 0;
  for (const Frame& frame : film) numbers += numbers_of(frame.arcs);
  const int stride = stride_for(numbers, most_film_numbers);
  Json list = Json::array();
  for (const auto& frame : film)
    list.push_back({{"iteration", frame.iteration}, {"curves", curves_json(frame.arcs, stride)}});
  return list;
}

// Beside `profiles` in fit.json: by which of its points, and the trajectories there.
Json profiles_film_json(const std::vector<Profile>& profiles) {
  Json list = Json::array();
  for (const Profile& profile : profiles) {
    Json frames = Json::array();
    for (std::size_t i = 0; i < profile.points.size(); ++i)
      if (const auto& arcs = profile.points[i].arcs; !arcs.empty())
        frames.push_back({{"point", i}, {"curves", curves_json(arcs, 1)}});
    list.push_back(std::move(frames));
  }
  return list;
}

Json maps_json(const std::vector<FieldMap>& maps) {
  Json list = Json::array();
  for (const FieldMap& map : maps) {
    std::vector<double> values, place, time, value;
    for (const auto& row : map.value) values.insert(values.end(), row.begin(), row.end());
    for (const FieldMap::Point& point : map.data) {
      place.push_back(point.place);
      time.push_back(point.time);
      value.push_back(point.value);
    }
    list.push_back({{"name", map.name},
                    {"place_name", map.place_name},
                    {"time_name", map.time_name},
                    {"place", base64_of_doubles(map.place)},
                    {"time", base64_of_doubles(map.time)},
                    {"value", base64_of_floats(values)},
                    {"data",
                     {{"place", base64_of_doubles(place)},
                      {"time", base64_of_doubles(time)},
                      {"value", base64_of_floats(value)}}}});
  }
  return list;
}

Json run_json(const RunRecord& run) {
  Json files = Json::array();
  for (const auto& file : run.files) files.push_back({{"name", file.name}, {"sha256", file.sha256}});
  return {{"command", run.command},
          {"version", version()},
          {"seed", run.seed},
          {"threads", run.threads},
          {"files", std::move(files)}};
}

}  // namespace

std::string pictures_json(const model::Problem& problem, const FitResult& result, const RunRecord& run,
                          const std::vector<FieldMap>& maps) {
  Json json{
      {"format", 2},
      {"title", problem.title},
      {"time", model::axis_text("time", problem.time_axis)},
      {"observables", observables_json(problem)},
      {"experiments", experiments_json(problem)},
      {"parameters", ranges_json(problem, result.parameters)},
      {"initial", ranges_json(problem, result.initial)},
      {"no_errors", result.no_errors},
      {"data", data_json(problem, problem.measurements, result.predictions)},
      {"validation", data_json(problem, problem.validation, result.validation)},
      {"autocorrelation", autocorrelation_json(problem, result)},
      {"inputs", inputs_json(problem)},
      {"solution", curves_json(result.solution_arcs, stride_for(numbers_of(result.solution_arcs), most_curve_numbers),
                               predicted_in(problem))},
      {"film", film_json(result.film)},
      {"run", run_json(run)}};
  if (!maps.empty()) json["maps"] = maps_json(maps);
  if (problem.states.empty() && !problem.observables.empty()) json["over"] = "space";
  if (result.profiles) json["profiles"] = profiles_film_json(result.profiles->profiles);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace salvo::report
