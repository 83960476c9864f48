#pragma once

#include <vector>

#include "model/problem.hpp"

namespace salvo::pictures {

// At which times a trajectory is looked at to be drawn: at even steps, closer where measurements crowd, and where a
// value is to be predicted. Data over decades of time would else be joined by one straight line in their first decades.
class PictureTimes {
 public:
  explicit PictureTimes(const model::Problem& problem);

  // From `begin` to `end` in so many even pieces. Of a piece that holds far more than its share of the measurement
  // times, these times and their middles are added; and the times of predictions.
  std::vector<double> between(int experiment, double begin, double end, int pieces) const;

 private:
  std::vector<std::vector<double>> measured_;   // by experiment, each time once
  std::vector<std::vector<double>> predicted_;  // in the same way
};

}  // namespace salvo::pictures
