#include "formats/problem/boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/words.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Boundary;
using model::BoundaryKind;
using model::Field;
using model::Geometry;
using model::Side;
using yaml::Node;

const std::vector<std::string> side_names{"left", "right", "bottom", "top"};
constexpr const char* kinds =
    "write {value: 1}, {flux: 0}, {gradient: 0}, {robin: [a, b, c]} for a*u + b*du/dn = c, or periodic";

// The centre of a cylinder or a sphere: nothing lies beyond it.
bool is_centre(const model::Space& space, std::size_t side) {
  return side == 0 && space.geometry != Geometry::line && space.from == 0;
}

class BoundaryReader {
 public:
  BoundaryReader(Draft& draft, Field& field) : draft_(draft), field_(field) {}

  void read(const Node& node) {
    if (is_centre(space_of(0), 0)) field_.at(Side::left).terms[0] = draft_.problem.graph.constant(0);
    if (is_periodic(node)) {
      for (std::size_t side = 0; side < used_sides(); ++side) set(side, {.kind = BoundaryKind::periodic}, node.place);
    } else if (is_map(draft_, node, fmt::format("the boundary of {}", field_.id))) {
      for (const yaml::Entry& entry : node.entries) read_side(entry);
    } else {
      return;
    }
    check_missing(node.place);
    check_periodic(node.place);
  }

 private:
  std::size_t used_sides() const { return 2 * draft_.problem.space.size(); }
  const model::Space& space_of(std::size_t side) const { return draft_.problem.space[side / 2]; }
  static bool is_periodic(const Node& node) { return node.is_text() && node.text == to_string(BoundaryKind::periodic); }

  void set(std::size_t side, const Boundary& boundary, Place place) {
    is_stated_[side] = true;
    field_.boundary[side] = boundary;
    const model::Space& space = space_of(side);
    if (boundary.kind == BoundaryKind::periodic && space.geometry != Geometry::line)
      draft_.log.add(place, fmt::format("a {} does not end where it begins", to_string(space.geometry)),
                     "periodic conditions are for a line");
    if (is_centre(space, side) && !is_nothing(boundary))
      draft_.log.add(place,
                     fmt::format("{} = 0 is the centre of a {} and no boundary: {} takes no condition there", space.id,
                                 to_string(space.geometry), field_.id),
                     "leave 'left' out; nothing flows through the centre");
  }

  // Nothing flows through the centre, and one may say so.
  bool is_nothing(const Boundary& boundary) const {
    const bool is_flow = boundary.kind == BoundaryKind::flux || boundary.kind == BoundaryKind::gradient;
    return is_flow && draft_.problem.graph.is_constant(boundary.terms[0], 0);
  }

  void read_side(const yaml::Entry& entry) {
    const auto found = std::find(side_names.begin(), side_names.end(), entry.key.text);
    const auto side = static_cast<std::size_t>(found - side_names.begin());
    if (side >= used_sides()) {
      const std::vector<std::string> known(side_names.begin(),
                                           side_names.begin() + static_cast<std::ptrdiff_t>(used_sides()));
      draft_.log.add(entry.key.place, fmt::format("'{}' is no end of the space of {}", entry.key.text, field_.id),
                     hint_for_unknown(entry.key.text, known));
      return;
    }
    is_stated_[side] = true;
    const std::string what = fmt::format("the boundary condition of {} at {}", field_.id, entry.key.text);
    if (is_periodic(entry.value)) return set(side, {.kind = BoundaryKind::periodic}, entry.value.place);
    if (const auto boundary = read_condition(entry.value, what)) set(side, *boundary, entry.value.place);
  }

  std::optional<Boundary> read_condition(const Node& node, const std::string& what) {
    if (node.kind == Node::Kind::broken) return std::nullopt;
    if (node.kind != Node::Kind::map || node.entries.empty()) {
      draft_.log.add(node.place, fmt::format("{} must be a map, but is {}", what, kind_in_words(node)), kinds);
      return std::nullopt;
    }
    if (node.entries.size() > 1) {
      draft_.log.add(
          node.entries[1].key.place,
          fmt::format("{} is stated twice: as {} and as {}", what, node.entries[0].key.text, node.entries[1].key.text),
          "one condition holds at each end; a mixture of both is robin: [a, b, c]");
      return std::nullopt;
    }
    const yaml::Entry& entry = node.entries[0];
    const auto kind = model::from_name<BoundaryKind>(entry.key.text);
    if (!kind || *kind == BoundaryKind::periodic) {
      draft_.log.add(entry.key.place, fmt::format("unknown boundary condition '{}'", entry.key.text), kinds);
      return std::nullopt;
    }
    return read_terms(*kind, entry.value, what);
  }

  std::optional<Boundary> read_terms(BoundaryKind kind, const Node& node, const std::string& what) {
    Boundary boundary{.kind = kind};
    if (kind != BoundaryKind::robin)
      return read_term(node, what, boundary.terms[0]) ? std::optional(boundary) : std::nullopt;
    if (node.kind != Node::Kind::sequence || node.items.size() != boundary.terms.size()) {
      draft_.log.add(node.place, fmt::format("{} needs three formulas", what),
                     "write robin: [a, b, c] for a*u + b*du/dn = c, where n points outwards");
      return std::nullopt;
    }
    bool all = true;
    for (std::size_t i = 0; i < boundary.terms.size(); ++i)
      all = read_term(node.items[i], what, boundary.terms[i]) && all;
    return all ? std::optional(boundary) : std::nullopt;
  }

  bool read_term(const Node& node, const std::string& what, NodeId& term) {
    const std::optional<NodeId> read = read_formula(draft_, node, what, everything());
    if (!read) return false;
    term = *read;
    return true;
  }

  void check_missing(Place place) {
    for (std::size_t side = 0; side < used_sides(); ++side)
      if (!is_stated_[side] && !is_centre(space_of(side), side))
        draft_.log.add(place, fmt::format("the boundary condition of {} at {} is missing", field_.id, side_names[side]),
                       kinds);
  }

  void check_periodic(Place place) {
    for (std::size_t side = 0; side + 1 < used_sides(); side += 2) {
      const auto is = [&](std::size_t i) { return field_.boundary[i].kind == BoundaryKind::periodic; };
      if (is_stated_[side] && is_stated_[side + 1] && is(side) != is(side + 1))
        draft_.log.add(place,
                       fmt::format("{} is periodic at {} and not at {}", field_.id,
                                   side_names[is(side) ? side : side + 1], side_names[is(side) ? side + 1 : side]),
                       fmt::format("write boundary: {{{}: periodic}}", field_.id));
    }
  }

  Draft& draft_;
  Field& field_;
  std::array<bool, 4> is_stated_{};
};

}  // namespace

void read_boundary(Draft& draft, const Node* section, const Node& fields) {
  if (section != nullptr && !is_map(draft, *section, "the section 'boundary'")) return;
  std::vector<model::Field>& all = draft.problem.fields;
  std::vector<bool> is_stated(all.size(), false);
  for (std::size_t i = 0; section != nullptr && i < section->entries.size(); ++i) {
    const yaml::Entry& entry = section->entries[i];
    const Name* name = draft.find(entry.key.text);
    if (name == nullptr || name->kind != Name::Kind::field) {
      draft.log.add(entry.key.place, fmt::format("'{}' in 'boundary' is not a field", entry.key.text),
                    hint_for_unknown(entry.key.text, draft.names_of(Name::Kind::field)));
      continue;
    }
    const auto index = static_cast<std::size_t>(name->index);
    is_stated[index] = true;
    BoundaryReader(draft, all[index]).read(entry.value);
  }
  const bool needs_none = draft.problem.space.empty();
  for (std::size_t i = 0; i < all.size() && !needs_none; ++i)
    if (!is_stated[i])
      draft.log.add(fields.entries[i].key.place, fmt::format("the boundary conditions of {} are missing", all[i].id),
                    fmt::format("write boundary: {{{}: {{left: {{flux: 0}}, right: {{flux: 0}}}}}}", all[i].id));
}

}  // namespace salvo::formats
