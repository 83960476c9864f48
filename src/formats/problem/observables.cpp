#include <fmt/format.h>

#include <vector>

#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Observable;
using yaml::Node;

void read_noise(Draft& draft, const Node& node, Observable& observable) {
  const std::string what = fmt::format("the noise of {}", observable.id);
  if (node.is_text() && parse_number(node.text)) {
    if (const auto sigma = read_positive(draft, node, what)) observable.noise = draft.problem.graph.constant(*sigma);
    return;
  }
  const Scope scope{.at_each_place = true, .own_id = observable.id, .own_formula = observable.formula};
  const auto noise = read_formula(draft, node, what, scope);
  if (!noise) return;
  const expression::Graph& graph = draft.problem.graph;
  if (graph.is_constant(*noise) && graph[*noise].value <= 0) {
    draft.log.add(node.place, fmt::format("{} must be positive, but is {}", what, number_text(graph[*noise].value)));
    return;
  }
  observable.noise = *noise;
}

void read_map(Draft& draft, const Node& map, Observable& observable) {
  check_options(draft, map, fmt::format("the observable {}", observable.id),
                std::vector<std::string>{"formula", "noise", "distribution", "unit", "label"});
  const std::string what = fmt::format("the formula of {}", observable.id);
  if (const Node* formula = map.find("formula")) {
    if (const auto node = read_formula(draft, *formula, what, of_observables())) observable.formula = *node;
  } else {
    draft.log.add(map.place, fmt::format("{} is missing", what), "write {formula: ..., noise: ...}");
  }
  if (const Node* noise = map.find("noise")) read_noise(draft, *noise, observable);
  if (const Node* distribution = map.find("distribution")) read_law(draft, *distribution, observable);
  observable.axis = read_axis(draft, map, observable.id);
}

}  // namespace

void read_observables(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'observables'")) return;
  for (std::size_t i = 0; i < section.entries.size(); ++i) {
    const Node& value = section.entries[i].value;
    Observable& observable = draft.problem.observables[i];
    if (value.kind == Node::Kind::map)
      read_map(draft, value, observable);
    else if (const auto formula =
                 read_formula(draft, value, fmt::format("the formula of {}", observable.id), of_observables()))
      observable.formula = *formula;
  }
}

}  // namespace salvo::formats
