#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "formats/problem/design.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Factor;
using yaml::Node;

constexpr double most_levels = 1'000;

// {from: 1, to: 10, levels: 4}: any number in between, looked for from a grid of this many.
void read_range(Draft& draft, const Node& node, Factor& factor) {
  const std::string what = fmt::format("{} in 'experiments' of 'design'", factor.id);
  check_options(draft, node, what, std::vector<std::string>{"from", "to", "levels"});
  const Node* from = node.find("from");
  const Node* to = node.find("to");
  if (from == nullptr || to == nullptr) {
    draft.log.add(node.place, fmt::format("{} needs 'from' and 'to'", what),
                  "write {from: 1, to: 10, levels: 4}, or a list of levels");
    return;
  }
  const auto first = read_finite(draft, *from, "'from' of " + what);
  const auto last = read_finite(draft, *to, "'to' of " + what);
  double count = 3;
  if (const Node* levels = node.find("levels")) {
    count = read_positive(draft, *levels, "'levels' of " + what).value_or(count);
    if (count != std::floor(count) || count < 2 || count > most_levels) {
      draft.log.add(levels->place, fmt::format("'levels' of {} must be a whole number of 2 or more", what));
      return;
    }
  }
  if (!first || !last) return;
  if (!(*last > *first)) {
    draft.log.add(to->place, fmt::format("'to' of {} must be greater than 'from'", what));
    return;
  }
  factor.range = std::pair(*first, *last);
  for (int k = 0; k < static_cast<int>(count); ++k)
    factor.levels.push_back(*first + (*last - *first) * k / (count - 1));
}

void read_levels(Draft& draft, const Node& node, Factor& factor) {
  const auto read_one = [&](const Node& item) {
    if (factor.of == Factor::Of::input) {
      if (const int e = read_experiment_name(draft, item); e >= 0) factor.levels.push_back(e);
    } else if (const auto level = read_finite(draft, item, fmt::format("a level of {}", factor.id))) {
      factor.levels.push_back(*level);
    }
  };
  if (node.kind == Node::Kind::map && factor.of != Factor::Of::input) return read_range(draft, node, factor);
  if (node.kind == Node::Kind::sequence)
    for (const Node& item : node.items) read_one(item);
  else
    read_one(node);
}

bool find_target(Draft& draft, const Node& key, Factor& factor) {
  const Name* name = draft.find(key.text);
  if (name != nullptr && name->kind == Name::Kind::state) {
    factor.of = Factor::Of::initial;
  } else if (name != nullptr && name->kind == Name::Kind::input) {
    factor.of = Factor::Of::input;
  } else if (name == nullptr || name->kind != Name::Kind::parameter) {
    std::vector<std::string> known = draft.names_of(Name::Kind::parameter);
    for (const std::string& state : draft.names_of(Name::Kind::state)) known.push_back(state);
    draft.log.add(key.place,
                  fmt::format("'{}' in 'experiments' of 'design' is no parameter, initial value or input", key.text),
                  hint_for_unknown(key.text, known));
    return false;
  } else if (draft.problem.parameters[static_cast<std::size_t>(name->index)].is_estimated()) {
    draft.log.add(key.place, fmt::format("'{}' is estimated; what an experiment sets must be known", key.text),
                  "vary a parameter that is a plain number");
    return false;
  }
  factor.index = name->index;
  return true;
}

}  // namespace

std::vector<Factor> read_factors(Draft& draft, const Node& map) {
  std::vector<Factor> factors;
  if (!is_map(draft, map, "'experiments' of 'design'")) return factors;
  double combinations = 1;
  for (const yaml::Entry& entry : map.entries) {
    Factor factor{.id = entry.key.text};
    if (!find_target(draft, entry.key, factor)) continue;
    read_levels(draft, entry.value, factor);
    if (factor.levels.empty()) continue;
    combinations *= static_cast<double>(factor.levels.size());
    factors.push_back(std::move(factor));
  }
  if (combinations > most_levels)
    draft.log.add(map.place, fmt::format("these are {:.0f} experiments, more than {:.0f}", combinations, most_levels),
                  "give fewer levels");
  return factors;
}

}  // namespace salvo::formats
