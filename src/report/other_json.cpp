#include <algorithm>
#include <span>

#include "fit/places.hpp"
#include "model/on_cells.hpp"
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
  const std::vector<int> at_places = fit::observables_of_places(problem);
  for (int k = 0; k < std::min(arc.states.rows, static_cast<int>(model::ordinary_states(problem))); ++k)
    json["states"][problem.states[static_cast<std::size_t>(k)].id] = row_of(arc.states, k);
  for (int k = 0; k < std::min(arc.observables.rows, static_cast<int>(problem.observables.size())); ++k)
    if (!std::ranges::binary_search(at_places, k))
      json["observables"][problem.observables[static_cast<std::size_t>(k)].id] = row_of(arc.observables, k);
  return json;
}

// A list for each time, of what `number_at(place, time)` is at each place.
template <class NumberAt>
Json over_space(const Arc& arc, int places, const NumberAt& number_at) {
  Json list = Json::array();
  for (int i = 0; i < static_cast<int>(arc.time.size()); ++i) {
    Json row = Json::array();
    for (int place = 0; place < places; ++place) row.push_back(number(number_at(place, i)));
    list.push_back(std::move(row));
  }
  return list;
}

void add_fields(const model::Problem& problem, const Arc& arc, const std::vector<fit::Place>& places, Json& json) {
  const auto fields = static_cast<int>(problem.fields.size());
  const int count = places.empty() ? model::cells_of(problem) : static_cast<int>(places.size());
  for (std::size_t d = 0; d < problem.space.size(); ++d) {
    std::vector<double> where;
    for (int k = 0; k < count; ++k) {
      const int columns = problem.space[0].cells;
      where.push_back(!places.empty() ? places[k][d] : problem.space[d].centre(d == 0 ? k % columns : k / columns));
    }
    json[problem.space[d].id] = numbers(where);
  }
  const std::vector<int> seen = fit::observables_of_places(problem);
  const auto at_place = [&](int column) {
    const int columns = fields + static_cast<int>(seen.size());
    return [&arc, columns, column, first = static_cast<int>(problem.observables.size())](int place, int i) {
      return arc.observables(first + place * columns + column, i);
    };
  };
  json["fields"] = Json::object();
  const int first = static_cast<int>(model::ordinary_states(problem));
  for (int f = 0; f < fields; ++f)
    json["fields"][problem.fields[f].id] =
        places.empty()
            ? over_space(arc, count, [&](int place, int i) { return arc.states(first + place * fields + f, i); })
            : over_space(arc, count, at_place(f));
  for (std::size_t k = 0; k < seen.size() && !places.empty(); ++k)
    json["observables"][problem.observables[seen[k]].id] =
        over_space(arc, count, at_place(fields + static_cast<int>(k)));
}

}  // namespace

std::string simulate_json(const model::Problem& problem, const fit::SimulateResult& result,
                          const std::vector<fit::Place>& places) {
  Json json{{"status", result.ok ? "ok" : "numerical_failure"}, {"message", result.message}};
  json["experiments"] = Json::array();
  for (const Arc& arc : result.experiments) {
    json["experiments"].push_back(experiment_json(problem, arc));
    if (!problem.fields.empty()) add_fields(problem, arc, places, json["experiments"].back());
  }
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
