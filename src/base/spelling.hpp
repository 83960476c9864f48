#pragma once

#include <map>
#include <string>

namespace salvo {

// What a message asks its reader to change. How that is said depends on the door through which he came: a program has
// options, a library has fields.
enum class Hint {
  iterations,       // allow more of them
  time,             // allow more of it
  effort,           // let a fit work more
  go_on,            // from what was reached
  hold,             // a quantity at a value
  guess,            // another one
  starts,           // several of them
  nodes,            // more of them
  at_measurements,  // nodes
  accuracy,         // of the integration, more of it
  tolerance,        // of the integration, a larger one
  cells,            // of space, more of them
  accept_grid,      // the error of the grid
};
using Spelling = std::map<Hint, std::string>;

// As this door spells it; what it leaves out is spelled as in C++.
std::string spelled(const Spelling& door, Hint hint);

}  // namespace salvo
