#include "report/kept_sides.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "base/sha256.hpp"
#include "report/foreign_json.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t digest_length = 64;

// Null where it is no number; "inf" and "nan" are.
std::optional<double> to_double(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto& text = json.get_ref<const std::string&>();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::optional<std::vector<double>> to_doubles(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<double> out;
  for (const Json& entry : json) {
    const std::optional<double> value = to_double(entry);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

std::optional<fit::FinishedSide::Point> to_point(const Json& json) {
  const auto numbers = to_doubles(json);
  if (!numbers || numbers->size() < 3 || !std::isfinite((*numbers)[0])) return std::nullopt;
  return fit::FinishedSide::Point{(*numbers)[0], (*numbers)[1], (*numbers)[2], {numbers->begin() + 3, numbers->end()}};
}

bool has_text(const Json& json, const char* key) { return json.contains(key) && json[key].is_string(); }

// Nothing where a part is missing or of another kind.
std::optional<fit::FinishedSide> to_side(const Json& json) {
  if (!has_text(json, "id") || !has_text(json, "end") || !has_text(json, "trouble")) return std::nullopt;
  if (!json.contains("direction") || !json.contains("level") || !json.contains("points")) return std::nullopt;
  if (json["direction"] != 1 && json["direction"] != -1) return std::nullopt;
  if (!json["level"].is_number() || !json["points"].is_array()) return std::nullopt;
  fit::FinishedSide side{.id = json["id"],
                         .direction = json["direction"],
                         .end = json["end"],
                         .level = json["level"],
                         .trouble = json["trouble"]};
  for (const Json& point : json["points"]) {
    auto read = to_point(point);
    if (!read || read->q.size() != json["points"][0].size() - 3) return std::nullopt;
    side.points.push_back(std::move(*read));
  }
  return side;
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end == rest.npos ? rest.size() : end + 1);
  rest.remove_prefix(line.size());
  return line;
}

// What follows the digest, if it is the digest of that; a line that was torn off has no end.
std::string_view content_of_line(std::string_view line) {
  if (!line.ends_with('\n') || line.size() < digest_length + 2 || line[digest_length] != ' ') return {};
  const std::string_view content = line.substr(digest_length + 1, line.size() - digest_length - 2);
  return sha256(content) == line.substr(0, digest_length) ? content : std::string_view{};
}

}  // namespace

std::string side_line(const std::string& run, const fit::FinishedSide& side, const std::vector<double>& optimum) {
  Json points = Json::array();
  for (const auto& point : side.points) {
    Json numbers = Json::array({number(point.value), number(point.objective), number(point.slope)});
    for (const double entry : point.q) numbers.push_back(number(entry));
    points.push_back(std::move(numbers));
  }
  Json start = Json::array();
  for (const double entry : optimum) start.push_back(number(entry));
  const Json json{{"run", run},
                  {"optimum", std::move(start)},
                  {"id", side.id},
                  {"level", side.level},
                  {"direction", side.direction},
                  {"end", side.end},
                  {"trouble", side.trouble},
                  {"points", std::move(points)}};
  const std::string content = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return sha256(content) + " " + content + "\n";
}

KeptSides read_sides(std::string_view text, const std::string& run) {
  KeptSides kept;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const Json json = parse_foreign(content_of_line(line));
    const bool is_record = json.is_object() && has_text(json, "run") && json.contains("optimum");
    if (is_record && json["run"] != run) {
      ++kept.of_other_runs;
      continue;
    }
    const auto optimum = is_record ? to_doubles(json["optimum"]) : std::nullopt;
    auto side = optimum ? to_side(json) : std::nullopt;
    if (!side) {
      ++kept.damaged;
      continue;
    }
    if (*optimum != kept.optimum) {  // a better one was found
      kept.sides.clear();
      kept.lines.clear();
    }
    kept.optimum = *optimum;
    kept.sides.push_back(std::move(*side));
    kept.lines += line;
  }
  return kept;
}

}  // namespace salvo::report
