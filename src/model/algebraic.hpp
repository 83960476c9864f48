#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::model {

// Algebraic equations 0 = g as they were written, before anything else uses what they determine.
struct AlgebraicSystem {
  struct Variable {
    std::string id{};
    NodeId symbol = expression::no_node;
  };
  struct Equation {
    NodeId g = expression::no_node;
    std::string text{};  // as the user wrote it
    int own = -1;        // the variable that it is meant to be solved for
    std::string row{};   // the state whose row of `mass` has left it; none: it stands under `algebraic`
  };
  std::vector<Variable> variables{};
  std::vector<Equation> equations{};
  // States that a user has not written, and what they are of those that he has.
  std::vector<NodeId> unwritten{}, written{};
};

// What an equation determines: a variable that is a formula, or one that is integrated with the states.
struct AlgebraicVariable {
  int variable = 0;
  int equation = 0;
  NodeId value = expression::no_node;    // the formula; none: no formula solves the equation ...
  NodeId g = expression::no_node;        // ... which with all formulas put in is 0 = g
  NodeId divisor = expression::no_node;  // of `value`, where it is not a number
};

struct AlgebraicTrouble {
  int equation = -1;  // or
  int variable = -1;
  Issue::Kind kind = Issue::Kind::invalid;
  std::string message{};
  std::string hint{};
};

struct AlgebraicSolution {
  std::vector<AlgebraicVariable> found{};  // in the order of the variables
  std::vector<AlgebraicTrouble> troubles{};
};

// Solves what is affine in a variable by a formula, finds for each equation that is left the variable that it
// determines, and says in the user's words where there is none (docs/mathematics.md, section 23). Where not
// `all_needed`, variables that nothing determines are left alone; of several that an equation may determine the first
// is taken. `states` are the differential equations.
AlgebraicSolution solve_algebraic(expression::Graph& graph, const AlgebraicSystem& system,
                                  const std::vector<State>& states, NodeId time, bool all_needed = true);

// Are there algebraic equations that no formula solves? Then rodas5p integrates, and no other method can.
bool has_algebraic_states(const Problem& problem);
bool knows_algebraic_states(const Integrator& integrator);

// What was chosen, or what the problem says: rodas5p in the place of auto where the problem needs it.
Integrator integrator_for(const Problem& problem, const std::optional<Integrator>& chosen);

}  // namespace salvo::model
