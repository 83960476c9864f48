#include "formats/problem/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "expression/parse.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

// Which definitions each definition uses, by index.
std::vector<std::vector<int>> find_uses(Draft& draft, const Node& section) {
  std::vector<std::vector<int>> uses(section.entries.size());
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const Node& formula = section.entries[i].value;
    if (!formula.is_text()) continue;
    const auto parsed = expression::parse(draft.problem.graph, formula.text);
    const auto* read = std::get_if<expression::Formula>(&parsed);
    if (read == nullptr) continue;
    for (const expression::NameUse& use : read->names)
      if (const Name* name = draft.find(use.name); name != nullptr && name->kind == Name::Kind::definition)
        uses[i].push_back(name->index);
  }
  return uses;
}

// Depth first without recursion: definitions may form a chain of any length.
class Ordering {
 public:
  explicit Ordering(const std::vector<std::vector<int>>& uses) : uses_(uses), mark_(uses.size(), Mark::untouched) {}

  void run() {
    for (int i = 0; i < static_cast<int>(uses_.size()); ++i)
      if (mark(i) == Mark::untouched) visit(i);
  }

  std::vector<int> order{};                // those needed come before those that need them
  std::vector<std::vector<int>> cycles{};  // a, b, ..., a

 private:
  enum class Mark { untouched, open, done };
  struct Step {
    int definition = 0;
    std::size_t next_use = 0;
  };

  Mark& mark(int i) { return mark_[static_cast<std::size_t>(i)]; }

  void visit(int first) {
    std::vector<Step> path;
    enter(path, first);
    while (!path.empty()) {
      Step& step = path.back();
      const std::vector<int>& uses = uses_[static_cast<std::size_t>(step.definition)];
      if (step.next_use == uses.size()) {
        mark(step.definition) = Mark::done;
        order.push_back(step.definition);
        path.pop_back();
        continue;
      }
      const int used = uses[step.next_use++];
      if (mark(used) == Mark::untouched)
        enter(path, used);
      else if (mark(used) == Mark::open)
        note_cycle(path, used);
    }
  }

  void enter(std::vector<Step>& path, int definition) {
    mark(definition) = Mark::open;
    path.push_back({.definition = definition});
  }

  void note_cycle(const std::vector<Step>& path, int used) {
    std::vector<int> cycle;
    const auto begin = std::find_if(path.begin(), path.end(), [&](const Step& s) { return s.definition == used; });
    for (auto step = begin; step != path.end(); ++step) cycle.push_back(step->definition);
    cycle.push_back(used);
    cycles.push_back(std::move(cycle));
  }

  const std::vector<std::vector<int>>& uses_;
  std::vector<Mark> mark_;
};

constexpr std::size_t longest_cycle_shown = 10;

std::string cycle_text(const Draft& draft, const std::vector<int>& cycle) {
  std::string text;
  for (std::size_t k = 0; k < cycle.size(); ++k) {
    if (k > 0) text += " -> ";
    if (k == longest_cycle_shown && cycle.size() > longest_cycle_shown + 1) {
      text += "... -> ";
      k = cycle.size() - 1;
    }
    text += draft.definitions[static_cast<std::size_t>(cycle[k])].id;
  }
  return text;
}

void note_what_it_uses(const Draft& draft, Definition& definition) {
  for (const NodeId symbol : expression::symbols_of(draft.problem.graph, {&definition.node, 1})) {
    if (symbol == draft.problem.time) definition.uses_time = true;
    const Name* name = draft.find(draft.problem.graph.symbol_name(symbol));
    if (name != nullptr && name->kind == Name::Kind::state) definition.uses_states = true;
  }
}

}  // namespace

void read_definitions(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'definitions'")) return;
  const std::vector<std::vector<int>> uses = find_uses(draft, section);
  Ordering ordering(uses);
  ordering.run();
  std::vector<bool> in_cycle(section.entries.size(), false);
  for (const std::vector<int>& cycle : ordering.cycles) {
    for (const int i : cycle) in_cycle[static_cast<std::size_t>(i)] = true;
    const Node& key = section.entries[static_cast<std::size_t>(cycle.front())].key;
    draft.log.add(key.place, fmt::format("definitions depend on each other in a circle: {}", cycle_text(draft, cycle)),
                  "a definition may only use others that do not need it");
  }
  for (const int index : ordering.order) {
    const auto i = static_cast<std::size_t>(index);
    if (in_cycle[i]) continue;
    const std::string what = fmt::format("the definition of {}", section.entries[i].key.text);
    const std::optional<NodeId> node = read_formula(draft, section.entries[i].value, what, everything());
    if (!node) continue;
    draft.definitions[i].node = *node;
    note_what_it_uses(draft, draft.definitions[i]);
  }
}

}  // namespace salvo::formats
