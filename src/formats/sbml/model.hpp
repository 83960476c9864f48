#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expression/graph.hpp"
#include "formats/issue_log.hpp"

// A model as its SBML file states it, without a type of any library: what has a value, what changes it, and how.
namespace salvo::formats::sbml {

using expression::NodeId;

// What has a value and stands in formulas by its name. The value of a species is its concentration, or its amount where
// `is_amount` says so.
struct Quantity {
  enum class Kind { compartment, species, parameter, stoichiometry };

  std::string id{};
  Kind kind = Kind::parameter;
  Place place{};
  NodeId symbol = expression::no_node;
  std::optional<double> value{};            // as the file states it
  bool value_is_amount = false;             // of a species: `value` is an amount, whatever the symbol stands for
  bool constant = true;                     // nothing may change it
  bool is_amount = false;                   // of a species: so does its symbol
  bool boundary = false;                    // of a species: reactions do not change it
  int compartment = -1;                     // of a species: the quantity that it is in
  NodeId conversion = expression::no_node;  // of a species: its conversion factor
  NodeId initial_assignment = expression::no_node;  // formulas, where there are any
  NodeId assignment = expression::no_node;
  NodeId rate = expression::no_node;
  NodeId algebraic = expression::no_node;  // 0 = this determines it, and no formula solves for it
};

// 0 = math
struct AlgebraicRule {
  NodeId math = expression::no_node;
  Place place{};
  int quantity = -1;                     // that it determines, once that is known
  NodeId divisor = expression::no_node;  // of the formula that solves it, where that is not a number
};

// A species that a reaction makes (or uses up, with a negative stoichiometry).
struct Participant {
  int quantity = 0;
  NodeId stoichiometry = expression::no_node;
};

struct Reaction {
  std::string id{};
  NodeId symbol = expression::no_node;  // stands for the rate in formulas
  NodeId rate = expression::no_node;    // amount per time; none where the file states none
  std::vector<Participant> participants{};
};

// A value that something takes at once.
struct Setting {
  int quantity = 0;
  NodeId value = expression::no_node;
};

// Acts when its trigger turns from false to true.
struct Event {
  std::string id{};
  NodeId trigger = expression::no_node;
  bool true_before = true;  // what the trigger counts as before the start
  std::vector<Setting> set{};
  NodeId delay = expression::no_node;     // none: it acts at once
  bool values_from_trigger_time = true;   // what it sets is computed when the trigger turns, otherwise when it acts
  bool persistent = true;                 // it acts even if the trigger has turned false again by then
  NodeId priority = expression::no_node;  // of events that act together, the highest acts first
};

// A function that jumps, of what is not a number as it stands: of / by, rounded down, up or towards zero, or what the
// last of these leaves of `of`.
struct Staircase {
  enum class Function { floor, ceiling, quotient, rem };

  Function function = Function::floor;
  Place place{};
  NodeId symbol = expression::no_node;  // stands for it in formulas
  NodeId of = expression::no_node;
  NodeId by = expression::no_node;
  NodeId value = expression::no_node;  // as a formula, where there is one (staircases.hpp)
};
std::string to_string(Staircase::Function function);

struct Model {
  std::string id{};
  expression::Graph graph{};
  NodeId time = expression::no_node;
  std::vector<Quantity> quantities{};
  std::vector<AlgebraicRule> algebraic{};
  std::vector<Reaction> reactions{};
  std::vector<Event> events{};
  // Symbols that stand for the rate of change of others: {symbol, of which symbol}.
  std::vector<std::pair<NodeId, NodeId>> rates_of{};
  std::vector<Staircase> staircases{};
  std::unordered_map<std::string, int> places{};  // of quantities, by id

  // Index of a quantity; -1: none.
  int find(const std::string& name) const {
    const auto found = places.find(name);
    return found == places.end() ? -1 : found->second;
  }
};

}  // namespace salvo::formats::sbml
