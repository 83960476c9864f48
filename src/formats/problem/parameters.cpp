#include <fmt/format.h>

#include "formats/problem/estimated.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"
#include "formats/yaml/read.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;
using ParameterValue = std::variant<double, model::Estimated>;

std::optional<ParameterValue> read_map(Draft& draft, const Node& map, const std::string& id) {
  const Node* value = map.find("value");
  if (value == nullptr) {
    auto estimated = read_estimated(draft, map, id, Guess::needed);
    if (!estimated) return std::nullopt;
    if (const auto fixed = fixed_by_bounds(draft, map, id, *estimated)) return *fixed;
    return *std::move(estimated);
  }
  read_axis(draft, map, id);  // only what is estimated stands in tables; a constant may say its unit all the same
  for (const yaml::Entry& entry : map.entries)
    if (entry.key.text != "value" && entry.key.text != "unit" && entry.key.text != "label")
      draft.log.add(entry.key.place, fmt::format("'{}' cannot stand beside 'value' of {}", entry.key.text, id),
                    "a value is a constant; to estimate, write guess in place of value");
  if (const auto number = read_finite(draft, *value, fmt::format("the value of {}", id))) return *number;
  return std::nullopt;
}

std::optional<ParameterValue> read_parameter_value(Draft& draft, const Node& node, const std::string& id) {
  if (node.kind == Node::Kind::map) return read_map(draft, node, id);
  if (node.kind == Node::Kind::null) {
    draft.log.add(node.place, fmt::format("the parameter {} has no value", id),
                  "write a number for a constant, or {guess: 1} to estimate it");
    return std::nullopt;
  }
  if (node.is_text() && !parse_number(node.text) &&
      node.text.find_first_not_of("+-.,0123456789eE") < node.text.size()) {
    draft.log.add(
        node.place,
        fmt::format("the parameter {} must be a number or {{guess: ...}}, but is '{}'", id, node.text.substr(0, 40)),
        "a formula belongs in the section 'definitions'");
    return std::nullopt;
  }
  if (const auto number = read_finite(draft, node, fmt::format("the parameter {}", id))) return *number;
  return std::nullopt;
}

}  // namespace

void read_parameters(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'parameters'")) return;
  for (std::size_t i = 0; i < section.entries.size(); ++i) {
    const yaml::Entry& entry = section.entries[i];
    if (auto value = read_parameter_value(draft, entry.value, entry.key.text))
      draft.problem.parameters[i].value = *std::move(value);
  }
}

}  // namespace salvo::formats
