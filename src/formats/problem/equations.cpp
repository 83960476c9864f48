#include <fmt/format.h>

#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {

void read_equations(Draft& draft, const yaml::Node& section) {
  if (!is_map(draft, section, "the section 'equations'")) return;
  for (std::size_t i = 0; i < section.entries.size(); ++i) {
    const yaml::Entry& entry = section.entries[i];
    const auto formula =
        read_formula(draft, entry.value, fmt::format("the equation of {}", entry.key.text), everything_and_the_past());
    if (formula) draft.problem.states[i].derivative = *formula;
  }
}

}  // namespace salvo::formats
