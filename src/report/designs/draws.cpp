#include <cmath>
#include <filesystem>

#include "base/distributions.hpp"
#include "report/designs/designs.hpp"
#include "report/fit_file.hpp"
#include "report/foreign_json.hpp"
#include "report/json_number.hpp"

namespace salvo::report::designs {
namespace {

using Values = std::map<std::string, double>;

std::optional<double> number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

Values values_in(const Json& object) {
  Values values;
  if (object.is_object())
    for (const auto& [id, value] : object.items())
      if (value.is_number()) values[id] = value.get<double>();
  return values;
}

// Starts that converged to where the likelihood is as good as that of a 95 % region.
std::vector<Values> of_starts(const Json& json) {
  std::vector<Values> out;
  const auto starts = json.find("starts");
  const std::optional<double> best = number_in(json, "objective");
  if (starts == json.end() || !starts->is_array() || !best) return out;
  for (const Json& start : *starts) {
    const auto objective = number_in(start, "objective");
    if (!objective || !start.contains("status") || start["status"] != "converged" || !start.contains("parameters"))
      continue;
    Values values = values_in(start["parameters"]);
    if (!values.empty() && *objective - *best <= 0.5 * chi_squared_quantile(0.95, static_cast<double>(values.size())))
      out.push_back(std::move(values));
  }
  return out;
}

bool is_within(const Json& interval, double value) {
  if (!interval.is_array() || interval.size() != 2) return true;
  return (!interval[0].is_number() || value >= interval[0].get<double>()) &&
         (!interval[1].is_number() || value <= interval[1].get<double>());
}

std::vector<Values> of_profiles(const Json& json) {
  std::vector<Values> out;
  const auto profiles = json.find("profiles");
  if (profiles == json.end() || !profiles->is_array()) return out;
  for (const Json& profile : *profiles) {
    if (!profile.is_object() || !profile.contains("points") || !profile["points"].is_array()) continue;
    for (const Json& point : profile["points"]) {
      const auto value = number_in(point, "value");
      if (!value || !point.contains("others") || !profile.contains("id") || !profile["id"].is_string()) continue;
      if (profile.contains("interval") && !is_within(profile["interval"], *value)) continue;
      Values values = values_in(point["others"]);
      values[profile["id"].get<std::string>()] = *value;
      out.push_back(std::move(values));
    }
  }
  return out;
}

}  // namespace

std::vector<Values> draws_in(std::string_view fit_json, model::DesignOver over) {
  const Json json = parse_foreign(fit_json);
  return over == model::DesignOver::profile ? of_profiles(json) : of_starts(json);
}

Result<std::vector<Values>> read_draws(const std::string& folder, model::DesignOver over) {
  const auto text = read_fit_file(std::filesystem::path(folder) / "fit.json", {"status", "parameters"});
  if (!text) return text.issues();
  return draws_in(*text, over);
}

}  // namespace salvo::report::designs
