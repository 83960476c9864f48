#pragma once

#include <string_view>

namespace salvo::solve {

// Why a run ended. What the point is that it ended at is for others to say, and changes nothing of this.
enum class Ended {
  tolerance,       // the next step, or what it promises, is as small as was asked for
  joined,          // trajectories are nearly joined, and no more was asked for
  budget,          // the share of the ledger is spent
  deadline,        // the time is over
  iterations,      // all of them are used
  interrupted,     // the caller has asked for it
  no_step,         // none of the kinds of step leads on
  conflict,        // constraints contradict each other
  not_computable,  // the point, or the derivatives there
  early_stopping,  // validation data are no longer predicted better
};

// The word for it in snake_case.
std::string_view to_string(Ended ended);

}  // namespace salvo::solve
