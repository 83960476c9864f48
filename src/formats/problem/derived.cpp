#include <fmt/format.h>

#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {

using yaml::Node;

void read_derived(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'derived'")) return;
  const Scope scope{.states = false, .time = false, .inputs = false, .space = false, .initial_values = true};
  for (std::size_t i = 0; i < section.entries.size(); ++i) {
    const Node& value = section.entries[i].value;
    model::Derived& derived = draft.problem.derived[i];
    const std::string what = fmt::format("the derived quantity {}", derived.id);
    const Node* formula = &value;
    if (value.kind == Node::Kind::map) {
      check_options(draft, value, what, std::vector<std::string>{"formula", "unit", "label"});
      derived.axis = read_axis(draft, value, derived.id);
      formula = value.find("formula");
      if (formula == nullptr)
        draft.log.add(value.place, fmt::format("{} has no formula", what), "write {formula: ln(2)/k, unit: h}");
    }
    if (formula == nullptr) continue;
    if (const auto node = read_formula(draft, *formula, what, scope)) derived.formula = *node;
  }
}

}  // namespace salvo::formats
