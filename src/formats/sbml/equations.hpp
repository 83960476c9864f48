#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/sbml/model.hpp"
#include "formats/sbml/resolver.hpp"

namespace salvo::formats::sbml {

// A quantity that changes along a trajectory. The state is the quantity itself or, of a species whose concentration is
// meant and whose compartment changes its size, its amount.
struct ModelState {
  int quantity = 0;
  std::string id{};
  NodeId symbol = expression::no_node;
  NodeId derivative = expression::no_node;  // reactions and rules not yet put in
  bool is_amount = false;                   // ... of a species whose symbol is a concentration
  bool is_algebraic = false;                // 0 = `derivative`
};

// A symbol that is a formula of others at all times: the target of an assignment rule, the rate of a reaction, a
// concentration, a rate of change.
struct Formula {
  NodeId symbol = expression::no_node;
  NodeId node = expression::no_node;
};

// What an SBML model says of how things change, as differential equations.
struct Equations {
  std::vector<ModelState> states{};
  std::vector<Formula> formulas{};
  std::vector<int> standing{};  // quantities that keep their value
};

// What changes at once changes along a trajectory too: besides what events set, the quantities in `jumping`.
Equations make_equations(Model& model, const std::vector<int>& jumping = {});

// The value of every quantity at the start, as formulas of what stands outside of the model. `set` gives quantities
// values in place of their own: of a state where it begins, before any event.
struct InitialValues {
  std::vector<NodeId> quantities{};
  std::vector<NodeId> states{};
  std::string trouble{};  // where a value needs itself
};
// What becomes of a compartment's contents when it is set to another size.
enum class Keep { amounts, concentrations };

// The new values of states when quantities are set at once, in formulas of the values before: {state, value}.
std::vector<std::pair<int, NodeId>> jump(Model& model, const Equations& equations, const std::vector<Setting>& set,
                                         Keep keep);

// Without a start: formulas of time, which say what was before it.
InitialValues initial_values(Model& model, const Equations& equations, const std::vector<Setting>& set,
                             std::optional<double> start);

}  // namespace salvo::formats::sbml
