#pragma once

#include <vector>

namespace salvo::solve {

// Constraint rows and bounds of theta that contradict each other.
struct Conflict {
  std::vector<int> rows{};
  std::vector<int> lower{};
  std::vector<int> upper{};

  bool empty() const { return rows.empty() && lower.empty() && upper.empty(); }
};

}  // namespace salvo::solve
