#include "report/pictures_json.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/words.hpp"
#include "report/base64.hpp"
#include "report/json_number.hpp"
#include "report/version.hpp"
#include "report/visible_rows.hpp"
#include "results/goodness.hpp"

namespace salvo::report {
namespace {

constexpr double most_curve_numbers = 1.5e6;  // at the solution; as floats in base 64 they take 8 MB

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

Json data_json(const std::vector<model::Measurement>& measurements, const std::vector<Prediction>& predictions) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const VisibleRows visible = visible_rows(measurements);
  std::vector<const Prediction*> prediction_of(measurements.size(), nullptr);
  for (const Prediction& prediction : predictions)
    prediction_of[static_cast<std::size_t>(prediction.row)] = &prediction;
  const auto integers = [&](const auto& of) {  // column by column: long data take much memory
    std::vector<int> column;
    for (const int row : visible.rows) column.push_back(std::invoke(of, measurements[static_cast<std::size_t>(row)]));
    return base64_of_integers(column);
  };
  const auto numbers = [&](const auto& of) {
    std::vector<double> column;
    for (const int row : visible.rows) column.push_back(std::invoke(of, measurements[static_cast<std::size_t>(row)]));
    return column;
  };
  const auto predicted = [&](std::vector<double> column, const auto& of) {
    for (std::size_t k = 0; k < column.size(); ++k)
      if (const Prediction* its = prediction_of[static_cast<std::size_t>(visible.rows[k])]; its != nullptr)
        column[k] = std::invoke(of, *its);
    return base64_of_floats(column);
  };
  using model::Measurement;
  const auto own_sigma = [](const Measurement& m) { return m.sigma.value_or(nan); };
  const auto unknown = [](const Measurement&) { return nan; };
  Json json{{"count", visible.rows.size()},
            {"measured", measurements.size()},
            {"experiment", integers(&Measurement::experiment)},
            {"observable", integers(&Measurement::observable)},
            {"time", base64_of_doubles(numbers(&Measurement::time))},
            {"value", base64_of_floats(numbers(&Measurement::value))},
            {"sigma", predicted(numbers(own_sigma), &Prediction::sigma)},
            {"simulation", predicted(numbers(unknown), &Prediction::simulation)},
            {"residual", predicted(numbers(unknown), &Prediction::score)}};
  if (std::ranges::any_of(measurements, [](const Measurement& m) { return m.censored != model::Censored::no; }))
    json["limit"] = integers([](const Measurement& m) { return side_of(m.censored); });
  if (!visible.weights.empty()) json["weight"] = base64_of_integers(visible.weights);
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
  bool has_band = true;

  void add(const Arc& arc, int stride) {
    const std::vector<int> points = drawn_points(arc, stride);
    const auto observables = static_cast<std::size_t>(arc.observables.rows);
    const bool known = arc.band.lower.cols == arc.observables.cols && arc.band.lower.rows == arc.observables.rows;
    has_band = has_band && known;
    value.resize(std::max(value.size(), observables));
    lower.resize(value.size());
    upper.resize(value.size());
    lengths.push_back(static_cast<int>(points.size()));
    intervals.push_back(arc.interval);
    for (const int i : points) {
      time.push_back(arc.time[static_cast<std::size_t>(i)]);
      for (int k = 0; k < arc.observables.rows; ++k) {
        value[static_cast<std::size_t>(k)].push_back(arc.observables(k, i));
        if (known) lower[static_cast<std::size_t>(k)].push_back(arc.band.lower(k, i));
        if (known) upper[static_cast<std::size_t>(k)].push_back(arc.band.upper(k, i));
      }
    }
  }
};

Json columns_json(const std::vector<std::vector<double>>& columns) {
  Json list = Json::array();
  for (const auto& column : columns) list.push_back(base64_of_floats(column));
  return list;
}

Json curves_json(const std::vector<Arc>& arcs, int stride) {
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
    list.push_back(std::move(json));
  }
  return list;
}

int stride_of(const std::vector<Arc>& arcs) {
  double numbers = 0;
  for (const auto& arc : arcs)
    numbers += static_cast<double>(arc.observables.data.size() + 2 * arc.band.lower.data.size());
  return std::max(1, static_cast<int>(std::ceil(numbers / most_curve_numbers)));
}

Json film_json(const std::vector<Frame>& film) {
  Json list = Json::array();
  for (const auto& frame : film)
    list.push_back({{"iteration", frame.iteration}, {"curves", curves_json(frame.arcs, 1)}});
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

std::string pictures_json(const model::Problem& problem, const FitResult& result, const RunRecord& run) {
  Json json{{"format", 1},
            {"title", problem.title},
            {"time", model::axis_text("time", problem.time_axis)},
            {"observables", observables_json(problem)},
            {"experiments", experiments_json(problem)},
            {"parameters", ranges_json(problem, result.parameters)},
            {"initial", ranges_json(problem, result.initial)},
            {"no_errors", result.no_errors},
            {"data", data_json(problem.measurements, result.predictions)},
            {"validation", data_json(problem.validation, result.validation)},
            {"autocorrelation", autocorrelation_json(problem, result)},
            {"inputs", inputs_json(problem)},
            {"solution", curves_json(result.solution_arcs, stride_of(result.solution_arcs))},
            {"film", film_json(result.film)},
            {"run", run_json(run)}};
  if (result.profiles) json["profiles"] = profiles_film_json(result.profiles->profiles);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace salvo::report
