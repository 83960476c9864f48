#include <algorithm>
#include <span>

#include "report/json.hpp"
#include "report/json_text.hpp"

namespace salvo::report {
namespace {

Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

// One row of a matrix that has a column for each time.
Json row_of(const Matrix& matrix, int row) {
  Json list = Json::array();
  for (int i = 0; i < matrix.cols; ++i) list.push_back(number(matrix(row, i)));
  return list;
}

Json experiment_json(const model::Problem& problem, const Arc& arc) {
  Json json{{"id", problem.experiments[static_cast<std::size_t>(arc.experiment)].id},
            {"time", numbers(arc.time)},
            {"states", Json::object()},
            {"observables", Json::object()}};
  for (int k = 0; k < arc.states.rows; ++k)
    json["states"][problem.states[static_cast<std::size_t>(k)].id] = row_of(arc.states, k);
  for (int k = 0; k < arc.observables.rows; ++k)
    json["observables"][problem.observables[static_cast<std::size_t>(k)].id] = row_of(arc.observables, k);
  return json;
}

}  // namespace

std::string simulate_json(const model::Problem& problem, const fit::SimulateResult& result) {
  Json json{{"status", result.ok ? "ok" : "numerical_failure"}, {"message", result.message}};
  json["experiments"] = Json::array();
  for (const Arc& arc : result.experiments) json["experiments"].push_back(experiment_json(problem, arc));
  return text_of(json);
}

std::string check_json(const model::Problem& problem, const std::vector<fit::Finding>& findings) {
  const auto troubles = std::ranges::count(findings, fit::Finding::Level::trouble, &fit::Finding::level);
  const bool is_cut = std::ranges::any_of(findings, &fit::Finding::cut_short);
  Json json{{"status", troubles > 0 ? "trouble" : is_cut ? "unfinished" : "sound"}, {"troubles", troubles}};
  json["findings"] = Json::array();
  for (const fit::Finding& finding : findings)
    json["findings"].push_back({{"level", fit::to_string(finding.level)}, {"text", finding.text}});
  json["remarks"] = problem.remarks;
  json["warnings"] = Json::array();
  for (const Issue& warning : problem.warnings) json["warnings"].push_back(to_string(warning));
  return text_of(json);
}

}  // namespace salvo::report
