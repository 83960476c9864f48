#pragma once

#include <string_view>
#include <vector>

#include "estimate/workspace.hpp"

namespace salvo::estimate {

// What the strategy looks at: what the user said, what the data show, what moves, what there is.
enum class Fact {
  network,            // right-hand sides hold weights of networks
  other_method,       // scalar or lagrangian is asked for, or no other can have so many parameters
  constraints,        // there are some
  single,             // one interval is asked for
  nodes_or_start,     // nodes, or values at nodes, are asked for
  nothing_estimated,  // everything is known
  fields,             // unknowns live in space
  delays,             // formulas look at earlier values ...
  past_shown,         // ... all of which the data show
  guess,              // the user states one
  draw,               // the guess is one of many that the program drew
  shown,              // the data show a state of every experiment
  moving,             // times of discontinuities depend on what is estimated
  many_nodes          // so many that steps are made without matrices
};
std::string_view to_string(Fact fact);

std::vector<Fact> facts_of(const Workspace& workspace);

// Whether the times of discontinuities depend on what is estimated. Each order of events and measurements then has
// minima of its own, and no derivative shows the way from one to another.
bool moves_discontinuities(const compile::CompiledModel& model);

}  // namespace salvo::estimate
