#include "formats/problem/space.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/words.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Geometry;
using model::Space;
using yaml::Node;

constexpr const char* example = "write space: {x: {from: 0, to: 1, cells: 100}}";
constexpr int default_cells = 100;

void read_ends(Draft& draft, const Node& map, Space& space) {
  if (const Node* from = map.find("from"))
    space.from = read_finite(draft, *from, fmt::format("'from' of {}", space.id)).value_or(space.from);
  const Node* to = map.find("to");
  if (to == nullptr) return draft.log.add(map.place, fmt::format("'to' of {} is missing", space.id), example);
  const std::optional<double> end = read_finite(draft, *to, fmt::format("'to' of {}", space.id));
  if (!end) return;
  space.to = *end;
  if (space.from < space.to) return;
  draft.log.add(to->place,
                fmt::format("{} begins at {} and ends at {}", space.id, number_text(space.from), number_text(space.to)),
                "'to' must be larger than 'from'");
  space.from = std::numeric_limits<double>::lowest();  // so that no place is outside, too
  space.to = std::numeric_limits<double>::max();
}

void read_cells(Draft& draft, const Node& map, Space& space) {
  space.cells = default_cells;
  const Node* node = map.find("cells");
  if (node == nullptr) return;
  const std::optional<double> cells = read_finite(draft, *node, fmt::format("'cells' of {}", space.id));
  if (!cells) return;
  if (*cells == std::floor(*cells) && *cells >= model::fewest_cells && *cells <= model::most_cells) {
    space.cells = static_cast<int>(*cells);
    return;
  }
  draft.log.add(node->place,
                fmt::format("{} has {} cells; it needs a whole number from {} to {}", space.id, number_text(*cells),
                            model::fewest_cells, model::most_cells),
                "a hundred are a good beginning; 'salvo check' says how much the number of cells matters");
}

void read_geometry(Draft& draft, const Node& map, Space& space) {
  const Node* node = map.find("geometry");
  if (node == nullptr) return;
  space.geometry = read_choice<Geometry>(draft, *node).value_or(space.geometry);
  if (space.geometry == Geometry::line || space.from >= 0) return;
  draft.log.add(node->place,
                fmt::format("{} is the radius of a {} and begins at {}", space.id, to_string(space.geometry),
                            number_text(space.from)),
                "a radius begins at 0 or beyond");
}

}  // namespace

void read_space(Draft& draft, const Node& node, Space& space) {
  space.cells = default_cells;
  if (!is_map(draft, node, fmt::format("the coordinate {}", space.id))) return;
  check_options(draft, node, fmt::format("the coordinate {}", space.id),
                std::vector<std::string>{"from", "to", "cells", "geometry", "unit", "label"});
  read_ends(draft, node, space);
  read_cells(draft, node, space);
  read_geometry(draft, node, space);
  space.axis = read_axis(draft, node, space.id);
}

void check_rectangle(Draft& draft, const Node& section) {
  const std::vector<Space>& space = draft.problem.space;
  if (space.size() < 2) return;
  for (std::size_t i = 0; i < space.size(); ++i)
    if (space[i].geometry != Geometry::line)
      draft.log.add(section.entries[i].value.place,
                    fmt::format("a {} has one coordinate, its radius", to_string(space[i].geometry)),
                    "leave the other one out, or the geometry");
  const double cells = static_cast<double>(space[0].cells) * space[1].cells;
  if (cells > model::most_cells)
    draft.log.add(section.place,
                  fmt::format("space has {} cells; at most {} can be computed", number_text(cells), model::most_cells),
                  "a rectangle of 64 by 64 cells is a good beginning");
}

}  // namespace salvo::formats
