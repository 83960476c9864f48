#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "design/criterion.hpp"
#include "design/information.hpp"
#include "design/space.hpp"

namespace salvo::design {

// Where a design was found on a grid, and between which ends its times and levels may move.
struct Movable {
  std::vector<Sample> samples{};                   // experiments count from `old` on among the settings
  std::vector<Setting> settings{};                 // of the new experiments
  std::vector<std::pair<double, double>> times{};  // of every sample
  std::vector<double> step{};                      // of every sample: the first that is tried
};

// Rows of samples at every point of the criterion, with these settings; nothing where they cannot be computed.
using RowsOf = std::function<std::optional<std::vector<std::vector<Eigen::MatrixXd>>>(
    const std::vector<Setting>& settings, const std::vector<Sample>& samples)>;

struct Moved {
  std::vector<Sample> samples{};
  std::vector<Setting> settings{};
  double loss = 0;
  int linearizations = 0;
};

// Moves times off the grid, and levels of factors that may be any number within their range, by descent from where they
// are. Along each of them the rows S are interpolated from three exact Jacobians: all times cost one linearisation,
// every factor two more, however many samples and experiments there are.
Moved refine(const Problem& problem, const model::Design& design, int old, Movable at, const RowsOf& rows,
             const std::function<bool()>& should_stop);

}  // namespace salvo::design
