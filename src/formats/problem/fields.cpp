#include "formats/problem/fields.hpp"

#include <fmt/format.h>

#include "base/words.hpp"
#include "formats/problem/boundary.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/names.hpp"
#include "formats/problem/space.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Field;
using model::Space;
using yaml::Node;

const std::vector<std::string> coordinates{"x", "y"};

void declare_space(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'space'")) return;
  model::Problem& problem = draft.problem;
  for (const yaml::Entry& entry : section.entries) {
    const std::string& id = entry.key.text;
    const auto index = problem.space.size();
    if (index >= coordinates.size() || id != coordinates[index]) {
      draft.log.add(entry.key.place, fmt::format("'{}' cannot be a coordinate here", id),
                    "write space: {x: ...}, or space: {x: ..., y: ...}; a radius is x with a geometry");
      draft.all_names_known = false;
      continue;
    }
    declare_name(draft, id, {Name::Kind::coordinate, static_cast<int>(index), entry.key.place});
    Space& space = problem.space.emplace_back();
    space.id = id;
    space.symbol = problem.graph.symbol(id);
    read_space(draft, entry.value, space);
  }
  check_rectangle(draft, section);
}

void declare_field(Draft& draft, const yaml::Entry& entry) {
  Field& field = draft.problem.fields.emplace_back();
  field.id = entry.key.text;
  field.symbol = draft.problem.graph.symbol(field.id);
  if (can_be_a_name(draft, entry.key))
    declare_name(draft, field.id,
                 {Name::Kind::field, static_cast<int>(draft.problem.fields.size()) - 1, entry.key.place});
}

void read_field(Draft& draft, const yaml::Entry& entry, Field& field) {
  const Node* formula = &entry.value;
  if (entry.value.kind == Node::Kind::map) {
    const std::string what = fmt::format("the field {}", field.id);
    check_options(draft, entry.value, what, std::vector<std::string>{"formula", "unit", "label"});
    formula = entry.value.find("formula");
    field.axis = read_axis(draft, entry.value, field.id);
    if (formula == nullptr)
      return draft.log.add(entry.value.place, fmt::format("{} has no formula", what), "write {formula: D*dxx(u)}");
  }
  Scope scope = everything();
  scope.at_each_place = scope.derivatives_in_space = true;
  if (const auto node = read_formula(draft, *formula, fmt::format("the equation of {}", field.id), scope))
    field.derivative = *node;
}

void read_scheme(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'scheme'")) return;
  check_options(draft, section, "the section 'scheme'", std::vector<std::string>{"advection", "order"});
  model::Scheme& scheme = draft.problem.scheme;
  if (const Node* advection = section.find("advection"))
    scheme.advection = read_choice<model::Advection>(draft, *advection).value_or(scheme.advection);
  const Node* order = section.find("order");
  if (order == nullptr) return;
  const std::optional<double> number = read_finite(draft, *order, "the order of the scheme");
  if (number && *number != 2 && *number != 4)
    draft.log.add(order->place, fmt::format("the scheme has order 2 or 4, not {}", number_text(*number)));
  else if (number)
    scheme.order = static_cast<int>(*number);
}

void need_fields(Draft& draft, const Node& root) {
  for (const char* section : {"space", "boundary", "scheme"})
    for (const yaml::Entry& entry : root.entries)
      if (entry.key.text == section && entry.value.kind != Node::Kind::null)
        draft.log.add(entry.key.place, fmt::format("the section '{}' is of fields, and there are none", section),
                      "write fields: {u: D*dxx(u)}");
}

}  // namespace

void declare_fields(Draft& draft, const Node& root) {
  const Node* space = root.find("space");
  if (space != nullptr) declare_space(draft, *space);
  const Node* fields = root.find("fields");
  if (fields == nullptr || fields->kind != Node::Kind::map) return;
  if (draft.problem.space.empty()) draft.all_names_known = false;  // coordinates
  for (const yaml::Entry& entry : fields->entries) declare_field(draft, entry);
}

void read_fields(Draft& draft, const Node& root) {
  const Node* fields = root.find("fields");
  if (fields == nullptr || fields->kind == Node::Kind::null) return need_fields(draft, root);
  if (!is_map(draft, *fields, "the section 'fields'")) return;
  if (root.find("space") == nullptr)
    draft.log.add(fields->place, "the section 'space' is missing: fields live in space",
                  "write space: {x: {from: 0, to: 1, cells: 100}}");
  for (std::size_t i = 0; i < fields->entries.size(); ++i)
    read_field(draft, fields->entries[i], draft.problem.fields[i]);
  if (!draft.problem.space.empty()) read_boundary(draft, root.find("boundary"), *fields);
  if (const Node* scheme = root.find("scheme")) read_scheme(draft, *scheme);
}

}  // namespace salvo::formats
