#pragma once

#include <span>
#include <vector>

#include "shooting/experiment_values.hpp"

namespace salvo::start {

// The entries of a sparse Jacobian row by row, in their order.
class SlopesByRow {
 public:
  SlopesByRow(std::span<const shooting::Slope> slopes, int rows) : start_(rows + 1, 0), slopes_(slopes.size()) {
    for (const shooting::Slope& slope : slopes) ++start_[slope.row + 1];
    for (int i = 0; i < rows; ++i) start_[i + 1] += start_[i];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (const shooting::Slope& slope : slopes) slopes_[next[slope.row]++] = slope;
  }
  std::span<const shooting::Slope> of(int row) const {
    return std::span(slopes_).subspan(start_[row], start_[row + 1] - start_[row]);
  }

 private:
  std::vector<int> start_;
  std::vector<shooting::Slope> slopes_;
};

}  // namespace salvo::start
