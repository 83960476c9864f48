#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "solve/state/ended.hpp"

namespace salvo::solve {

// The end of a run.
struct Ending {
  Ended ended = Ended::tolerance;
  bool has_derivatives = false;  // those of the last linearisation serve for the point
  std::string trouble{};         // if it is known best by who ends it
};

// What was decided about a trial, and by which rule.
struct Verdict {
  bool accepted = false;
  std::string_view rule{};
  double gain = 0;             // the fall that came, over the fall that was predicted
  bool is_good = false;        // the model held: the next step is expected to stand
  bool brings_little = false;  // progress: the penalty on gaps should grow
  std::optional<Ending> ending{};
};

}  // namespace salvo::solve
