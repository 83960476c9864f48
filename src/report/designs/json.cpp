#include <fmt/format.h>

#include "report/designs/designs.hpp"
#include "report/folder_update.hpp"
#include "report/json_text.hpp"
#include "report/version.hpp"

namespace salvo::report::designs {
namespace {

using design::Taken;

// One entry for each value that is measured; a repeated one stands there twice.
Json measurements_json(const std::vector<Taken>& taken) {
  Json list = Json::array();
  for (const Taken& each : taken)
    for (int n = 0; n < each.count; ++n)
      for (const std::string& observable : each.observables)
        list.push_back({{"observable", observable}, {"experiment", each.experiment}, {"time", number(each.time)}});
  return list;
}

Json directions_json(const std::vector<NullDirection>& directions) {
  Json list = Json::array();
  for (const NullDirection& direction : directions) {
    Json parts = Json::object();
    for (const auto& [id, coefficient] : direction.parts) parts[id] = number(coefficient);
    list.push_back(std::move(parts));
  }
  return list;
}

std::string criterion_text(const design::Result& result) {
  const std::string name(model::to_string(result.criterion));
  return result.criterion == model::DesignCriterion::c ? fmt::format("c({})", result.about) : name;
}

Json refined_json(const design::Result& result) {
  Json errors = Json::object();
  for (const design::Error& error : result.errors) errors[error.id] = number(error.refined);
  return {{"measurements", measurements_json(result.refined->taken)},
          {"value", number(result.refined->value)},
          {"errors", std::move(errors)},
          {"linearizations", result.refined->linearizations}};
}

void add_candidates(const design::Result& result, Json& out) {
  Json weights = Json::array(), sensitivity = Json::array(), candidates = Json::array();
  for (const design::Candidate& each : result.candidates) {
    weights.push_back(number(each.weight));
    sensitivity.push_back(number(each.sensitivity));
    candidates.push_back({{"observables", each.observables},
                          {"experiment", each.experiment},
                          {"time", number(each.time)},
                          {"cost", number(each.cost)},
                          {"chosen", each.chosen}});
  }
  out["weights"] = std::move(weights);
  out["sensitivity"] = std::move(sensitivity);
  out["candidates"] = std::move(candidates);
}

}  // namespace

std::string json(const model::Problem& problem, const design::Result& result) {
  Json out{{"program", "salvo"},
           {"version", version()},
           {"problem", problem.file},
           {"status", design::to_string(result.status)},
           {"message", result.message},
           {"remarks", result.remarks},
           {"criterion", criterion_text(result)},
           {"for", result.interest},
           {"budget", number(result.budget)},
           {"points", result.points},
           {"measurements", measurements_json(result.taken)}};
  const bool is_found = result.status == design::Status::found;
  const auto known = [&](double value) { return is_found ? number(value) : Json(nullptr); };
  out["value"] = known(result.value);
  out["continuous_value"] = known(result.continuous_value);
  out["efficiency"] = known(result.efficiency);
  out["certificate"] = {{"largest", known(result.largest)}, {"level", known(result.level)}};
  out["errors"] = Json::object();
  out["equidistant"] = Json::object();
  for (const design::Error& error : result.errors) {
    out["errors"][error.id] = {number(error.now), number(error.then)};
    out["equidistant"][error.id] = number(error.equidistant);
  }
  out["equidistant_value"] = number(result.equidistant_value);
  out["equidistant_efficiency"] = number(result.equidistant_efficiency);
  out["equidistant_measurements"] = measurements_json(result.equidistant);
  out["refined"] = result.refined ? refined_json(result) : Json(nullptr);
  out["null_directions"] = directions_json(result.null_directions);
  out["still_unseen"] = directions_json(result.still_unseen);
  add_candidates(result, out);
  return text_of(out);
}

std::string csv(const design::Result& result) {
  std::string text = "# The samples of the design: write the values, and name the table under 'data'.\n";
  const auto is_other = [&](const Taken& each) { return each.experiment != model::default_experiment; };
  const bool has_experiments = std::any_of(result.taken.begin(), result.taken.end(), is_other);
  text += has_experiments ? "time,observable,value,experiment\n" : "time,observable,value\n";
  for (const Taken& each : result.taken)
    for (int n = 0; n < each.count; ++n)
      for (const std::string& observable : each.observables)
        text += fmt::format("{},{},{}\n", number_text(each.time), observable,
                            has_experiments ? fmt::format(",\"{}\"", each.experiment) : "");
  return text;
}

void write(const model::Problem& problem, const design::Result& result, const std::string& folder) {
  FolderUpdate update(folder);
  update.write("design.csv", csv(result));
  update.write("summary.txt", summary(problem, result, false));
  update.write("report.html", page(problem, result));
  update.write("design.json", json(problem, result));  // last: others look for it
  constexpr std::string_view names[] = {"design.csv", "summary.txt", "report.html", "design.json"};
  update.finish(names);
}

}  // namespace salvo::report::designs
