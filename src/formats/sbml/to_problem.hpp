#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/sbml/equations.hpp"
#include "model/problem.hpp"

namespace salvo::formats::sbml {

// Values that are set at a time after the start.
struct Change {
  double time = 0;
  std::vector<Setting> set{};
};

// One way in which the model is run.
struct Condition {
  std::string id{};
  double start = 0;
  std::optional<double> end{};  // where nothing is asked for later, and no values are set
  std::vector<Setting> set{};
  std::optional<std::vector<Setting>> rest{};  // set while the model comes to rest before the start
  std::vector<Setting> lasting{};              // ... and after it, of what nothing else changes
  bool stays_at_rest = false;                  // `set` gives values to constants alone, and time has passed without end
  int rest_of = -1;               // the condition from whose start, itself after a rest, this one comes to rest
  std::vector<Change> changes{};  // concentrations stay where compartments are set
};

// Writes states, constants and one experiment for each condition into a problem. Quantities that are parameters of the
// problem already, by their names, stand for those. What stands is a constant; where conditions give it different
// values, each experiment sets it; where they all give it the same formula, the formula is put in. Changes come before
// the events of the model that happen at the same time. A model that comes to rest first begins where `rest` says; what
// `set` then gives a value to takes it, other states stay, and constants follow `set`.
// `resolver` then turns formulas of the model's names into formulas of the problem's. The graph stays the model's until
// the problem is finished.
Issues put_into_problem(Model& model, const std::string& file, const std::vector<Condition>& conditions,
                        model::Problem& problem, Resolver& resolver);

}  // namespace salvo::formats::sbml
