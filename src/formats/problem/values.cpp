#include "formats/problem/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/yaml/read.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

std::optional<double> yaml_number(std::string_view text) {
  if (text == ".inf" || text == "+.inf") return std::numeric_limits<double>::infinity();
  if (text == "-.inf") return -std::numeric_limits<double>::infinity();
  return parse_number(text);
}

bool has_only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

std::string kind_in_words(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "empty";
    case Node::Kind::scalar: return fmt::format("the text '{}'", node.text.substr(0, 40));
    case Node::Kind::sequence: return "a list";
    case Node::Kind::map: return "a map of keys and values";
    case Node::Kind::torn: return fmt::format("the formula '{}'", node.text.substr(0, 40));
    case Node::Kind::broken: return "unreadable";
  }
  return {};
}

BadNumber explain_bad_number(std::string_view text) {
  const std::string shown(text.substr(0, 40));
  if (text.size() > 1 && std::count(text.begin(), text.end(), ',') == 1 && has_only(text, "+-0123456789,eE"))
    return {fmt::format("'{}' is not a number", shown), "a decimal comma? write a point: 1.5, not 1,5"};
  const bool looks_like_a_number = has_only(text, "+-0123456789.eE") && text.find_first_of("0123456789") == 0;
  const std::size_t exponent = text.find_first_of("eE");
  if (looks_like_a_number && (exponent != std::string_view::npos || text.size() > 300))
    return {fmt::format("'{}' is out of the range of numbers", shown), "numbers reach from about 1e-307 to 1e308"};
  return {fmt::format("'{}' is not a number", shown), {}};
}

std::optional<double> read_number(Draft& draft, const Node& node, const std::string& what) {
  if (node.kind == Node::Kind::broken) return std::nullopt;
  if (!node.is_text()) {
    draft.log.add(node.place, fmt::format("{} must be a number, but is {}", what, kind_in_words(node)));
    return std::nullopt;
  }
  if (const auto value = yaml_number(node.text)) return value;
  const BadNumber bad = explain_bad_number(node.text);
  draft.log.add(node.place, fmt::format("{} must be a number: {}", what, bad.message), bad.hint);
  return std::nullopt;
}

std::optional<double> read_finite(Draft& draft, const Node& node, const std::string& what) {
  const std::optional<double> value = read_number(draft, node, what);
  if (!value || std::isfinite(*value)) return value;
  draft.log.add(node.place, fmt::format("{} must be finite", what));
  return std::nullopt;
}

std::optional<double> read_positive(Draft& draft, const Node& node, const std::string& what) {
  const std::optional<double> value = read_finite(draft, node, what);
  if (!value || *value > 0) return value;
  draft.log.add(node.place, fmt::format("{} must be positive, but is {}", what, number_text(*value)));
  return std::nullopt;
}

std::optional<double> read_time(Draft& draft, const Node& node, const std::string& what) {
  const std::optional<double> date = node.is_text() ? parse_date(node.text) : std::nullopt;
  if (!date) return read_finite(draft, node, what);
  if (draft.calendar) return time_of(*draft.calendar, *date);
  draft.log.add(node.place, fmt::format("{} is a date", what),
                fmt::format("say in which unit dates count and from when: time: {{unit: day, from: {}}}", node.text));
  return std::nullopt;
}

std::optional<std::string> read_text(Draft& draft, const Node& node, const std::string& what) {
  if (node.is_text()) return node.text;
  if (node.kind != Node::Kind::broken)
    draft.log.add(node.place, fmt::format("{} must be a text, but is {}", what, kind_in_words(node)));
  return std::nullopt;
}

model::Axis read_axis(Draft& draft, const Node& map, const std::string& id) {
  model::Axis axis;
  if (const Node* unit = map.find("unit")) axis.unit = read_text(draft, *unit, "the unit of " + id).value_or("");
  if (const Node* label = map.find("label")) axis.label = read_text(draft, *label, "the label of " + id).value_or("");
  return axis;
}

bool is_list(Draft& draft, const Node& node, const std::string& what) {
  if (node.kind == Node::Kind::sequence || node.kind == Node::Kind::null) return true;
  if (node.kind != Node::Kind::broken)
    draft.log.add(node.place, fmt::format("{} must be a list", what), "begin each line with '- '");
  return false;
}

bool is_map(Draft& draft, const Node& node, const std::string& what) {
  if (node.kind == Node::Kind::map || node.kind == Node::Kind::null) return true;
  if (node.kind != Node::Kind::broken)
    draft.log.add(node.place, fmt::format("{} must be a map of keys and values, but is {}", what, kind_in_words(node)),
                  "write 'key: value' on lines of their own, indented by spaces");
  return false;
}

void check_options(Draft& draft, const Node& map, const std::string& what, std::span<const std::string> known) {
  for (const yaml::Entry& entry : map.entries)
    if (std::find(known.begin(), known.end(), entry.key.text) == known.end())
      draft.log.add(entry.key.place, fmt::format("unknown option '{}' of {}", entry.key.text, what),
                    parse_number(entry.key.text) ? "write numbers with a decimal point, not a comma"
                                                 : hint_for_unknown(entry.key.text, known));
}

}  // namespace salvo::formats
