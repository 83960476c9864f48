#include "report/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/words.hpp"
#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/json_number.hpp"
#include "report/lines.hpp"

namespace salvo::report {
namespace {

double to_double(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return text == "inf" ? infinity : text == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

Json profile_list(const Profiles& profiles) {
  Json list = Json::array();
  for (const Profile& profile : profiles.profiles) {
    Json points = Json::array();
    for (const Profile::Point& point : profile.points) {
      Json others = Json::object();
      for (std::size_t k = 0; k < profiles.ids.size(); ++k)
        if (profiles.ids[k] != profile.id) others[profiles.ids[k]] = number(point.others[k]);
      points.push_back(
          {{"value", number(point.value)}, {"objective", number(point.objective)}, {"others", std::move(others)}});
    }
    list.push_back({{"id", profile.id},
                    {"prediction", profile.is_prediction},
                    {"estimate", number(profile.estimate)},
                    {"interval", Json::array({number(profile.lower), number(profile.upper)})},
                    {"followed", profile.is_followed},
                    {"verdict", to_string(profile.verdict)},
                    {"sentence", profile.sentence},
                    {"combinations", profile.combinations},
                    {"rise", number(profile.rise)},
                    {"points", std::move(points)}});
    if (const auto& observation = profile.new_observation)
      list.back()["new_observation"] = Json::array({number(observation->lower), number(observation->upper)});
  }
  return list;
}

Json next_measurement(const NextMeasurement& next) {
  return {{"observable", next.observable},
          {"experiment", next.experiment},
          {"time", number(next.time)},
          {"sentence", next.sentence}};
}

}  // namespace

std::string next_measurement_json(const NextMeasurement& next) {
  return next_measurement(next).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string profile_list_json(const Profiles& profiles) {
  return profile_list(profiles).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string profiles_json(const FitResult& result) {
  Json json{{"status", to_string(result.status)},
            {"message", result.message},
            {"objective", number(result.objective)},
            {"level", result.profiles ? result.profiles->level : 0.95},
            {"complete", result.profiles && result.profiles->complete},
            {"profiles", result.profiles ? profile_list(*result.profiles) : Json::array()}};
  if (result.next_measurement) json["next_measurement"] = next_measurement(*result.next_measurement);
  if (result.profiles) {
    json["sentence"] = result.profiles->sentence;
    const Work& work = result.profiles->work;
    json["fits"] = result.profiles->fits;
    json["work"] = {{"trajectories", work.trajectories},
                    {"tangents", work.tangents},
                    {"adjoints", work.adjoints},
                    {"rhs", work.rhs},
                    {"seconds", number(work.seconds)}};
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string profiles_summary(const FitResult& result, bool colour) {
  const Profiles& profiles = *result.profiles;
  std::string text = toned(fmt::format("Profiles ({:g} %)", 100 * profiles.level), Tone::strong, colour) + "\n";
  for (const Profile& profile : profiles.profiles) {
    const bool sure = profile.verdict == Verdict::identifiable;
    const std::string sentence = wrapped(profile.sentence, 2);
    text += sure ? sentence : toned(sentence, Tone::doubtful, colour);
  }
  text += "\n";
  if (!profiles.sentence.empty()) text += wrapped(profiles.sentence);
  if (result.next_measurement) text += wrapped(result.next_measurement->sentence);
  if (!profiles.complete) text += "  Not all sides were followed to their end; go on with --resume.\n";
  return text + "\n";
}

std::string side_line(const fit::FinishedSide& side, const std::vector<double>& optimum) {
  Json points = Json::array();
  for (const auto& point : side.points) {
    Json numbers = Json::array({number(point.value), number(point.objective), number(point.slope)});
    for (const double entry : point.q) numbers.push_back(number(entry));
    points.push_back(std::move(numbers));
  }
  Json json{{"optimum", optimum}, {"id", side.id},           {"direction", side.direction}, {"level", side.level},
            {"end", side.end},    {"trouble", side.trouble}, {"points", std::move(points)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

KeptSides read_sides(const std::string& text) {
  KeptSides kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("points") || !json.contains("optimum")) continue;
    fit::FinishedSide side{.id = json.value("id", ""),
                           .direction = json.value("direction", 1),
                           .end = json.value("end", "failed"),
                           .level = json.value("level", 0.0),
                           .trouble = json.value("trouble", "")};
    for (const Json& point : json["points"]) {
      if (point.size() < 3) continue;
      fit::FinishedSide::Point read{to_double(point[0]), to_double(point[1]), to_double(point[2]), {}};
      for (std::size_t k = 3; k < point.size(); ++k) read.q.push_back(to_double(point[k]));
      side.points.push_back(std::move(read));
    }
    std::vector<double> optimum;
    for (const Json& entry : json["optimum"]) optimum.push_back(to_double(entry));
    if (optimum != kept.optimum) kept.sides.clear();  // of another optimum
    kept.optimum = std::move(optimum);
    kept.sides.push_back(std::move(side));
  }
  return kept;
}

}  // namespace salvo::report
