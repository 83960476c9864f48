#include "report/json.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>

#include "base/words.hpp"
#include "model/digest.hpp"
#include "report/json_number.hpp"
#include "report/json_text.hpp"
#include "report/profiles.hpp"
#include "report/version.hpp"
#include "results/goodness.hpp"
#include "results/optima.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t long_enough = 1 << 16;  // for a piece of a text that is written piece by piece

// Degrees of freedom are whole unless priors make them effective ones.
Json whole_or_not(double value) {
  constexpr double rounding = 1e-6;
  const double whole = std::round(value);
  return std::abs(value - whole) <= rounding ? Json(static_cast<long>(whole)) : number(value);
}

Json by_name(const std::vector<std::pair<std::string, double>>& entries) {
  Json object = Json::object();
  auto& fields = object.get_ref<Json::object_t&>();  // appended: looking each name up first takes long for many
  for (const auto& [name, value] : entries) fields.emplace_back(name, number(value));
  return object;
}

// An end that there is not is null.
Json ends_json(const std::pair<double, double>& interval) {
  const auto end = [](double value) { return std::isinf(value) ? Json(nullptr) : number(value); };
  return Json::array({end(interval.first), end(interval.second)});
}

Json estimate_json(const Estimate& estimate) {
  Json json{{"id", estimate.id}};
  if (!estimate.experiment.empty()) json["experiment"] = estimate.experiment;
  if (!estimate.axis.unit.empty()) json["unit"] = estimate.axis.unit;
  if (!estimate.axis.label.empty()) json["label"] = estimate.axis.label;
  json["estimate"] = number(estimate.estimate);
  json["standard_error"] = number(estimate.standard_error);
  json["interval"] = nullptr;
  if (estimate.interval) json["interval"] = ends_json(*estimate.interval);
  json["interval_kind"] = estimate.interval ? Json(to_string(estimate.interval_kind)) : Json(nullptr);
  const auto& wald = estimate.interval_wald ? estimate.interval_wald : estimate.interval;
  json["interval_wald"] = wald && estimate.standard_error ? ends_json(*wald) : Json(nullptr);
  json["interval_checked"] = estimate.interval ? Json(!estimate.is_unchecked) : Json(nullptr);
  json["standard_error_observed"] = number(estimate.standard_error_observed);
  json["student_degrees"] = number(estimate.student_degrees);
  json["scale"] = model::to_string(estimate.scale);
  json["bounds"] = ends_json(estimate.bounds);
  json["at_bound"] = estimate.at_bound == AtBound::none ? Json(nullptr) : Json(to_string(estimate.at_bound));
  json["identifiable"] = estimate.identifiable;
  return json;
}

Json estimates_json(const std::vector<Estimate>& estimates) {
  Json list = Json::array();
  for (const auto& estimate : estimates) list.push_back(estimate_json(estimate));
  return list;
}

// The parameters that are constants.
Json fixed_json(const model::Problem& problem) {
  std::vector<std::pair<std::string, double>> constants;
  for (const model::Parameter& parameter : problem.parameters)
    if (const auto* value = std::get_if<double>(&parameter.value)) constants.emplace_back(parameter.id, *value);
  return by_name(constants);
}

std::unordered_set<std::string> without_standard_error(const FitResult& result) {
  std::unordered_set<std::string> ids;
  for (const auto* estimates : {&result.parameters, &result.initial})
    for (const auto& estimate : *estimates) {
      if (estimate.standard_error) continue;
      ids.insert(estimate.id);
      ids.insert(estimate.experiment + ":" + estimate.id);
    }
  return ids;
}

Json covariance_json(const FitResult& result) {
  std::vector<bool> missing;
  const std::unordered_set<std::string> without = without_standard_error(result);
  for (const auto& id : result.covariance_ids) missing.push_back(without.contains(id));
  Json matrix = Json::array();
  for (int i = 0; i < result.covariance.rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < result.covariance.cols; ++j) {
      const double value = result.covariance(i, j);
      row.push_back(std::isnan(value) && (missing[i] || missing[j]) ? Json(nullptr) : number(value));
    }
    matrix.push_back(std::move(row));
  }
  return {{"ids", result.covariance_ids}, {"matrix", std::move(matrix)}};
}

Json constraints_json(const std::vector<ConstraintResult>& constraints) {
  Json list = Json::array();
  for (const auto& constraint : constraints) {
    Json json{{"text", constraint.text}, {"active", constraint.active}, {"multiplier", number(constraint.multiplier)}};
    if (constraint.in_conflict) json["in_conflict"] = true;
    if (!constraint.places.empty()) json["at"] = Json::array();
    for (const auto& place : constraint.places) {
      Json at{{"experiment", place.experiment}};
      if (place.time) at["time"] = number(*place.time);
      json["at"].push_back(std::move(at));
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json trace_json(const std::vector<TracePoint>& trace) {
  Json list = Json::array();
  for (const auto& point : trace) {
    Json p = Json::array();
    for (const double value : point.p) p.push_back(number(value));
    list.push_back({{"iteration", point.iteration},
                    {"objective", number(point.objective)},
                    {"gap", number(point.gap)},
                    {"step", number(point.step)},
                    {"multiplier", number(point.multiplier)},
                    {"phase", point.phase},
                    {"rule", point.rule},
                    {"p", std::move(p)}});
  }
  return list;
}

Json starts_json(const std::vector<StartResult>& starts) {
  Json list = Json::array();
  for (const auto& start : starts)
    list.push_back({{"start", start.start},
                    {"status", to_string(start.status)},
                    {"objective", number(start.objective)},
                    {"gap", number(start.gap)},
                    {"iterations", start.iterations},
                    {"points", start.points},
                    {"seconds", number(start.seconds)},
                    {"message", start.message},
                    {"guess", by_name(start.guess)},
                    {"parameters", by_name(start.parameters)}});
  return list;
}

// Directions by the names of what they move, as far as they do.
Json certificate_json(const solve::Certificate& certificate, const std::vector<std::string>& ids) {
  constexpr double takes_part = 1e-3;
  Json probes = Json::array();
  for (const solve::Probe& probe : certificate.probes) {
    Json direction = Json::object();
    for (std::size_t i = 0; i < std::min(ids.size(), probe.direction.size()); ++i)
      if (std::abs(probe.direction[i]) > takes_part) direction[ids[i]] = number(probe.direction[i]);
    probes.push_back({{"direction", std::move(direction)},
                      {"verdict", solve::to_string(probe.verdict)},
                      {"change", number(probe.change)}});
  }
  return {{"gap", number(certificate.gap)},
          {"constraint_violation", number(certificate.constraint_violation)},
          {"gain", number(certificate.gain)},
          {"resolution", number(certificate.resolution)},
          {"integration", number(certificate.integration)},
          {"contraction", number(certificate.contraction)},
          {"probes", std::move(probes)},
          {"rank", certificate.rank ? Json(*certificate.rank) : Json(nullptr)},
          {"is_resolved", certificate.is_resolved},
          {"is_of_nodes", certificate.is_of_nodes},
          {"is_flat", certificate.is_flat},
          {"missing", certificate.missing}};
}

Json alternatives_json(const std::vector<Alternative>& alternatives) {
  Json list = Json::array();
  for (const Alternative& each : alternatives)
    list.push_back(
        {{"parameters", by_name(each.parameters)}, {"objective", number(each.objective)}, {"sentence", each.sentence}});
  return list;
}

Json optima_json(const std::vector<StartResult>& starts) {
  Json list = Json::array();
  for (const Optimum& optimum : distinct_optima(starts))
    list.push_back({{"objective", number(optimum.objective)},
                    {"count", optimum.starts.size()},
                    {"starts", optimum.starts},
                    {"same_parameters", optimum.is_one_point},
                    {"parameters", by_name(optimum.parameters)}});
  return list;
}

Json validation_json(const std::vector<Prediction>& predictions) {
  double llh = 0;
  double chi2 = 0;
  for (const auto& prediction : predictions) {
    llh += prediction.llh;
    chi2 += prediction.residual * prediction.residual;
  }
  return {{"measurements", predictions.size()}, {"llh", number(llh)}, {"chi2", number(chi2)}};
}

Json goodness_json(const model::Problem& problem, const FitResult& result) {
  Json list = Json::array();
  const std::vector<Goodness> goodness = goodness_by_observable(problem, result.predictions);
  for (std::size_t k = 0; k < goodness.size(); ++k)
    list.push_back({{"id", problem.observables[k].id},
                    {"measurements", goodness[k].measurements},
                    {"rmse", number(goodness[k].rmse)},
                    {"r2", number(goodness[k].r2)},
                    {"fit", number(goodness[k].fit)}});
  return list;
}

Json grid_error_json(const FitResult& result) {
  const GridError& grid = *result.grid_error;
  Json observables = Json::array();
  for (const auto& each : grid.observables)
    observables.push_back({{"id", each.id}, {"error", number(each.error)}, {"in_sigma", number(each.in_sigma)}});
  std::map<std::string, double> estimates;
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& each : *list) estimates[each.id] = each.estimate;
  Json parameters = Json::array();
  for (const auto& each : grid.parameters) {
    const auto estimate = estimates.find(each.id);
    const bool is_told = each.has_order && estimate != estimates.end();
    const double extrapolated = is_told ? estimate->second - each.shift : std::nan("");
    parameters.push_back({{"id", each.id},
                          {"shift", number(each.shift)},
                          {"in_errors", number(each.in_errors)},
                          {"extrapolated", number(extrapolated)}});
  }
  return {{"cells", grid.cells},
          {"unknowns", grid.unknowns},
          {"bandwidth", grid.bandwidth},
          {"peclet", number(grid.peclet)},
          {"largest", number(grid.trouble.empty() ? grid.largest : std::nan(""))},
          {"order", number(grid.order > 0 ? grid.order : std::nan(""))},
          {"trouble", grid.trouble},
          {"accepted", grid.is_accepted},
          {"observables", std::move(observables)},
          {"parameters", std::move(parameters)}};
}

}  // namespace

std::string fit_json(const model::Problem& problem, const FitResult& result) {
  Json null_directions = Json::array();
  for (const auto& direction : result.null_directions) null_directions.push_back(by_name(direction.parts));

  Json json{{"program", "salvo"},
            {"version", version()},
            {"problem", result.problem},
            {"title", problem.title},
            {"method", model::to_string(result.method)},
            {"derivatives", model::to_string(result.derivatives)},
            {"integrator", result.integrator},
            {"nodes", result.nodes},
            {"status", to_string(result.status)},
            {"ended", result.ended},
            {"message", result.message},
            {"objective", number(result.objective)},
            {"llh", number(result.llh)},
            {"chi2", number(result.chi2)},
            {"log_prior", number(result.log_prior)},
            {"measurements", result.measurements},
            {"degrees_of_freedom", whole_or_not(result.degrees_of_freedom)},
            {"aic", number(result.aic)},
            {"bic", number(result.bic)},
            {"aicc", number(result.aicc)},
            {"p_value", number(result.p_value)},
            {"gap", number(result.gap)},
            {"certificate", certificate_json(result.certificate, result.certificate_ids)},
            {"parameters", estimates_json(result.parameters)},
            {"initial", estimates_json(result.initial)},
            {"derived", estimates_json(result.derived)},
            {"fixed", fixed_json(problem)},
            {"data_sha256", model::data_digest(problem)},
            {"model_sha256", model::model_digest(problem)},
            {"null_directions", std::move(null_directions)},
            {"covariance", covariance_json(result)},
            {"iterations", result.iterations},
            {"work",
             {{"trajectories", result.work.trajectories},
              {"tangents", result.work.tangents},
              {"adjoints", result.work.adjoints},
              {"rhs", result.work.rhs},
              {"seconds", number(result.work.seconds)}}},
            {"trace", trace_json(result.trace)}};
  json["by_observable"] = goodness_json(problem, result);
  if (!result.constraints.empty()) json["constraints"] = constraints_json(result.constraints);
  if (!result.starts.empty()) {
    json["starts"] = starts_json(result.starts);
    json["optima"] = optima_json(result.starts);
  }
  json["alternatives"] = alternatives_json(result.alternatives);
  if (result.grid_error) json["grid_error"] = grid_error_json(result);
  if (result.next_measurement) json["next_measurement"] = Json::parse(next_measurement_json(*result.next_measurement));
  if (result.profiles) {
    json["profile_level"] = result.profiles->level;
    json["profile_sentence"] = result.profiles->sentence;
    json["profiles"] = Json::parse(profile_list_json(*result.profiles));
  }
  if (!result.validation.empty()) json["validation"] = validation_json(result.validation);
  return text_of(json);
}

namespace {

// PEtab 2 knows no scales: what we search by its logarithm is told as it is.
bool tells_scales(const model::Problem& problem) { return !problem.petab || problem.petab->version == "1"; }

Json evaluated_parameters(const model::Problem& problem, const fit::EvaluateResult& result) {
  Json list = Json::array();
  std::set<std::string> listed;  // in the parameter table; the constants of the model are not repeated
  if (problem.petab) {
    const model::TextTable& table = problem.petab->parameters;
    const int id = table.column("parameterId");
    for (const auto& row : table.rows) listed.insert(row[id]);
  }
  for (const auto& parameter : result.parameters) {
    if (problem.petab && !listed.contains(parameter.id)) continue;
    const model::Scale scale = tells_scales(problem) ? parameter.scale : model::Scale::lin;
    list.push_back({{"id", parameter.id},
                    {"scale", model::to_string(scale)},
                    {"value", number(parameter.value)},
                    {"estimated", parameter.estimated}});
  }
  return list;
}

// What a measurement is called: by the words of its table, if that was PEtab's.
void add_names(const model::Problem& problem, int row, Json& out) {
  const auto& measurement = problem.measurements[static_cast<std::size_t>(row)];
  if (!problem.petab) {
    out["observableId"] = problem.observables[measurement.observable].id;
    out["experimentId"] = problem.experiments[measurement.experiment].id;
    return;
  }
  const model::TextTable& table = problem.petab->measurements;
  for (const char* name : {"observableId", "experimentId", "simulationConditionId", "preequilibrationConditionId"})
    if (const int column = table.column(name); column >= 0)
      out[name] = table.rows[static_cast<std::size_t>(row)][column];
}

// As the file has it: what PEtab measures at inf, we measure where an experiment begins at rest.
double time_of(const model::Problem& problem, int row) {
  const double time = problem.measurements[static_cast<std::size_t>(row)].time;
  if (!problem.petab) return time;
  const model::TextTable& table = problem.petab->measurements;
  return parse_number(table.rows[static_cast<std::size_t>(row)][table.column("time")]).value_or(time);
}

Json simulation(const model::Problem& problem, const Prediction& prediction) {
  const auto& measurement = problem.measurements[static_cast<std::size_t>(prediction.row)];
  Json out{{"row", prediction.row}};
  add_names(problem, prediction.row, out);
  out["time"] = number(time_of(problem, prediction.row));
  out["simulation"] = number(prediction.simulation);
  out["sigma"] = number(prediction.sigma / problem.observables[measurement.observable].noise_unit);
  out["llh"] = number(prediction.llh);
  return out;
}

// By what a derivative on the scale of a quantity is divided to be one on the scale that the file states, which is none
// in PEtab 2.
double slope_of_scale(const model::Problem& problem, const fit::EvaluateResult::Value& quantity) {
  if (tells_scales(problem)) return 1;
  return model::from_scale_slope(quantity.scale, model::to_scale(quantity.scale, quantity.value));
}

std::vector<std::pair<std::string, double>> in_the_files_scale(const model::Problem& problem,
                                                               const fit::EvaluateResult& result) {
  std::vector<std::pair<std::string, double>> gradient = result.gradient;
  for (auto& [id, slope] : gradient)
    for (const auto& parameter : result.parameters)
      if (parameter.id == id && parameter.estimated) slope /= slope_of_scale(problem, parameter);
  return gradient;
}

// What every measurement is predicted to be, by every estimated quantity.
void add_jacobian(const model::Problem& problem, const fit::EvaluateResult& result, Json& json) {
  std::vector<double> slopes;
  json["jacobian_columns"] = Json::array();
  for (const auto& parameter : result.parameters)
    if (parameter.estimated) {
      json["jacobian_columns"].push_back(parameter.id);
      slopes.push_back(slope_of_scale(problem, parameter));
    }
  json["jacobian"] = Json::array();
  for (int i = 0; i < result.prediction_jacobian.rows; ++i) {
    Json row = Json::array();
    for (int k = 0; k < result.prediction_jacobian.cols; ++k)
      row.push_back(number(result.prediction_jacobian(i, k) / slopes[static_cast<std::size_t>(k)]));
    json["jacobian"].push_back(std::move(row));
  }
}

// Without the rows of the measurements, for which "simulations" is an empty list.
Json evaluated(const model::Problem& problem, const fit::EvaluateResult& result) {
  Json json{{"status", result.ok ? "ok" : "numerical_failure"},
            {"unsupported", Json::array()},
            {"messages", result.message.empty() ? Json::array() : Json::array({result.message})},
            {"n_measurements", problem.measurements.size()},
            {"llh", number(result.llh)},
            {"chi2", number(result.chi2)}};
  if (problem.petab) json["petab_version"] = problem.petab->version;
  if (!result.log_prior.empty()) {
    double sum = 0;
    for (const auto& entry : result.log_prior) sum += entry.second;
    json["log_prior"] = by_name(result.log_prior);
    json["log_prior_sum"] = number(sum);
    json["unnorm_log_posterior"] = number(result.llh + sum);
  }
  json["parameters"] = evaluated_parameters(problem, result);
  json["simulations"] = Json::array();
  if (!result.gradient.empty()) json["gradient"] = by_name(in_the_files_scale(problem, result));
  if (!result.ok) return json;
  if (result.prediction_jacobian.rows > 0) add_jacobian(problem, result, json);
  json["seconds"] = {{"values", result.seconds.values}};
  if (result.seconds.gradient) json["seconds"]["gradient"] = *result.seconds.gradient;
  if (result.seconds.jacobian) json["seconds"]["jacobian"] = *result.seconds.jacobian;
  return json;
}

}  // namespace

void evaluate_json(const model::Problem& problem, const fit::EvaluateResult& result, const TextSink& write) {
  const std::string text = text_of(evaluated(problem, result));
  constexpr std::string_view empty_list = "\n \"simulations\": []";
  const std::size_t place = text.find(empty_list) + empty_list.size() - 1;
  write(std::string_view(text).substr(0, place));
  std::string piece;
  for (std::size_t i = 0; i < result.simulations.size(); ++i) {
    piece += (i > 0 ? ",\n  " : "\n  ") + compact(simulation(problem, result.simulations[i]));
    if (piece.size() < long_enough) continue;
    write(piece);
    piece.clear();
  }
  write(piece + (result.simulations.empty() ? "" : "\n "));
  write(std::string_view(text).substr(place));
}

std::string evaluate_json(const model::Problem& problem, const fit::EvaluateResult& result) {
  std::string text;
  evaluate_json(problem, result, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string study_json(const fit::StudyResult& result) {
  Json json{{"replicates", result.replicates}, {"converged", result.converged}};
  const auto add = [&](const char* name, double fit::StudyQuantity::*field) {
    json[name] = Json::object();
    for (const auto& quantity : result.quantities) json[name][quantity.id] = number(quantity.*field);
  };
  add("truth", &fit::StudyQuantity::truth);
  add("mean", &fit::StudyQuantity::mean);
  add("sd", &fit::StudyQuantity::sd);
  add("expected_sd", &fit::StudyQuantity::expected_sd);
  add("coverage95", &fit::StudyQuantity::coverage95);
  json["mean_iterations"] = number(result.mean_iterations);
  json["interrupted"] = result.interrupted;
  json["message"] = result.message;
  return text_of(json);
}

std::string issues_json(std::string_view status, const Issues& issues) {
  const auto place = [](int count) { return count > 0 ? Json(count) : Json(nullptr); };
  Json list = Json::array();
  for (const auto& issue : issues)
    list.push_back({{"file", issue.file},
                    {"line", place(issue.line)},
                    {"column", place(issue.column)},
                    {"message", sentence_of(issue)},
                    {"hint", issue.hint}});
  Json json{{"status", status}};
  if (status == "unsupported") {  // by name
    json["unsupported"] = Json::array();
    for (const auto& issue : issues) json["unsupported"].push_back(issue.message);
  }
  json["issues"] = std::move(list);
  return text_of(json);
}

}  // namespace salvo::report
