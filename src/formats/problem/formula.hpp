#pragma once

#include <functional>
#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// What a formula may speak of besides parameters.
struct Scope {
  bool states = true;
  bool time = true;
  bool inputs = true;
  bool space = true;                         // coordinates
  bool at_each_place = false;                // it may have another value at each place
  bool derivatives_in_space = false;         // dx(u), div(D*grad(u))
  std::string own_id{};                      // of an observable, in its noise ...
  NodeId own_formula = expression::no_node;  // ... where it stands for this
  bool initial_values = false;               // initial(x1)
  bool delays = false;                       // delay(x1, tau)
};
inline Scope everything() { return {}; }
inline Scope everything_and_the_past() { return {.delays = true}; }
inline Scope of_observables() { return {.at_each_place = true, .delays = true}; }
inline Scope only_parameters() { return {.states = false, .time = false, .inputs = false, .space = false}; }

// ... and, in initial values, those of other states and inputs, as they are at the start.
inline Scope parameters_and_initial_values() {
  return {.states = false, .time = false, .space = false, .initial_values = true};
}

// A piece of a scalar that is a formula; the whole unless a constraint was divided into its sides.
struct FormulaText {
  const yaml::Node* scalar = nullptr;
  std::string text{};
  int first_column = 1;  // of `text` within the scalar
};

// The formula with time, definitions and constants put in. Otherwise adds an Issue for each mistake in it, at its exact
// place; `what` names the formula: "the equation of x1".
std::optional<NodeId> read_formula(Draft& draft, const yaml::Node& node, const std::string& what, const Scope& scope);
std::optional<NodeId> read_formula(Draft& draft, const FormulaText& formula, const std::string& what,
                                   const Scope& scope);

// This reads a formula that stands anywhere: Issues go into `log`, at the place of the formula's column.
std::optional<NodeId> read_formula(Draft& draft, const std::string& text, const std::string& what, const Scope& scope,
                                   IssueLog& log, const std::function<Place(int column)>& place_of);

// Is there a text that can be a formula? If not, an Issue that says what YAML made of it.
bool is_formula_text(Draft& draft, const yaml::Node& node, const std::string& what);

}  // namespace salvo::formats
