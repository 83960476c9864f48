#include "formats/problem/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "expression/parse.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/networks.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

// What is read in the order of need: the definitions of the section, then the networks.
class Parts {
 public:
  Parts(Draft& draft, const Node& section)
      : draft_(draft), section_(section), definitions_(static_cast<int>(section.entries.size())) {}

  int count() const { return definitions_ + static_cast<int>(draft_.networks.size()); }
  const NetworkDraft* network(int part) const {
    return part < definitions_ ? nullptr : &draft_.networks[static_cast<std::size_t>(part - definitions_)];
  }
  const std::string& id(int part) const {
    return network(part) != nullptr ? network(part)->shape.id : entry(part).key.text;
  }
  Place place(int part) const { return network(part) != nullptr ? network(part)->place : entry(part).key.place; }
  const yaml::Entry& entry(int part) const { return section_.entries[static_cast<std::size_t>(part)]; }

  // Which parts each part uses.
  std::vector<std::vector<int>> uses() const {
    std::vector<std::vector<int>> all(static_cast<std::size_t>(count()));
    for (int part = 0; part < count(); ++part) {
      std::vector<int>& used = all[static_cast<std::size_t>(part)];
      if (const NetworkDraft* its = network(part))
        for (const Node& input : its->inputs->items) note_uses(input, used);
      else
        note_uses(entry(part).value, used);
    }
    return all;
  }

 private:
  void note_uses(const Node& formula, std::vector<int>& used) const {
    if (!formula.is_text()) return;
    const auto parsed = expression::parse(draft_.problem.graph, formula.text);
    const auto* read = std::get_if<expression::Formula>(&parsed);
    if (read == nullptr) return;
    for (const expression::NameUse& use : read->names)
      if (const Name* name = draft_.find(use.name); name != nullptr && name->kind == Name::Kind::definition)
        used.push_back(part_of(name->index));
  }

  // The part that gives the definition its formula: itself, or the network whose output it is.
  int part_of(int definition) const {
    int part = std::min(definition, definitions_);
    if (definition < definitions_) return part;
    while (part + 1 < count() && network(part + 1)->first_output <= definition) ++part;
    return part;
  }

  Draft& draft_;
  const Node& section_;
  int definitions_;
};

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

std::string cycle_text(const Parts& parts, const std::vector<int>& cycle) {
  std::string text;
  for (std::size_t k = 0; k < cycle.size(); ++k) {
    if (k > 0) text += " -> ";
    if (k == longest_cycle_shown && cycle.size() > longest_cycle_shown + 1) {
      text += "... -> ";
      k = cycle.size() - 1;
    }
    text += parts.id(cycle[k]);
  }
  return text;
}

}  // namespace

void read_definitions(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'definitions'")) return;
  const Parts parts(draft, section);
  const std::vector<std::vector<int>> uses = parts.uses();
  Ordering ordering(uses);
  ordering.run();
  std::vector<bool> in_cycle(uses.size(), false);
  for (const std::vector<int>& cycle : ordering.cycles) {
    for (const int part : cycle) in_cycle[static_cast<std::size_t>(part)] = true;
    draft.log.add(parts.place(cycle.front()),
                  fmt::format("definitions depend on each other in a circle: {}", cycle_text(parts, cycle)),
                  "a definition may only use others that do not need it");
  }
  for (const int part : ordering.order) {
    if (in_cycle[static_cast<std::size_t>(part)]) continue;
    if (const NetworkDraft* network = parts.network(part)) {
      read_network(draft, *network);
      continue;
    }
    const yaml::Entry& entry = parts.entry(part);
    const std::string what = fmt::format("the definition of {}", entry.key.text);
    Scope scope = everything_and_the_past();
    scope.at_each_place = scope.derivatives_in_space = true;  // whoever uses it is asked again
    const std::optional<NodeId> node = read_formula(draft, entry.value, what, scope);
    if (!node) continue;
    Definition& definition = draft.definitions[static_cast<std::size_t>(part)];
    definition.node = *node;
    note_what_it_uses(draft, definition);
  }
}

}  // namespace salvo::formats
