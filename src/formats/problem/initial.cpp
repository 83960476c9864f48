#include <fmt/format.h>

#include "base/words.hpp"
#include "formats/problem/estimated.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

std::optional<model::Initial> read_value(Draft& draft, const Node& node, const std::string& id) {
  if (node.kind == Node::Kind::map) {
    auto estimated = read_estimated(draft, node, id, Guess::optional);
    if (!estimated) return std::nullopt;
    if (const auto fixed = fixed_by_bounds(draft, node, id, *estimated)) return draft.problem.graph.constant(*fixed);
    return *std::move(estimated);
  }
  if (node.kind == Node::Kind::null) {
    draft.log.add(node.place, fmt::format("the initial value of {} is missing", id),
                  "write a number, a formula of parameters, or {guess: 1}; or leave the line out to estimate it");
    return std::nullopt;
  }
  const auto formula = read_formula(draft, node, fmt::format("the initial value of {}", id), only_parameters());
  if (!formula) return std::nullopt;
  return *formula;
}

}  // namespace

std::vector<model::Initial> estimated_initial(const Draft& draft) {
  return std::vector<model::Initial>(draft.problem.states.size(), model::Estimated{});
}

std::vector<model::Initial> read_initial(Draft& draft, const Node& section, std::vector<model::Initial> defaults) {
  if (!is_map(draft, section, "'initial'")) return defaults;
  for (const yaml::Entry& entry : section.entries) {
    const std::string& id = entry.key.text;
    const Name* name = draft.find(id);
    if (name == nullptr || name->kind != Name::Kind::state) {
      draft.log.add(entry.key.place, fmt::format("'{}' in 'initial' is not a state", id),
                    hint_for_unknown(id, draft.names_of(Name::Kind::state)));
      continue;
    }
    if (auto value = read_value(draft, entry.value, id))
      defaults[static_cast<std::size_t>(name->index)] = *std::move(value);
  }
  return defaults;
}

}  // namespace salvo::formats
