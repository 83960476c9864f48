#include "report/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/words.hpp"
#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/json_number.hpp"
#include "report/lines.hpp"

namespace salvo::report {
namespace {

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

}  // namespace salvo::report
