#pragma once

#include <string_view>

#include "results/status.hpp"
#include "solve/result.hpp"

namespace salvo::estimate {

// What the point of an answer is. Why the run ended there is another matter: solve::Ended.
enum class Standing {
  minimum,           // proved, or told by a method that answers for itself
  minimum_on_nodes,  // one trajectory departs from the nodes, and these are what is known
  no_minimum,        // joined, but something lies lower or nothing could be proved
  torn,              // trajectories are not joined
  unknown            // nothing was evaluated
};
std::string_view to_string(Standing standing);

inline bool is_minimum(Standing standing) {
  return standing == Standing::minimum || standing == Standing::minimum_on_nodes;
}

// The one word for both that a result carries.
Status status_of(Standing standing, solve::Ended ended);

}  // namespace salvo::estimate
