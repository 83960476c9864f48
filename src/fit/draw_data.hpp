#pragma once

#include <limits>
#include <vector>

#include "base/random.hpp"
#include "model/problem.hpp"
#include "results/predictions.hpp"

namespace salvo::fit {

// Draws measurements from the laws of a problem around given predictions. A limit of an observable holds for all of its
// values: what is drawn beyond it becomes censored, and a censored cell that is drawn within becomes a number.
class DataDrawer {
 public:
  DataDrawer(const model::Problem& problem, std::vector<Prediction> at_truth);

  void draw(model::Problem& problem, Random& random) const;
  // The predictions themselves in the place of data.
  void put_truth(model::Problem& problem) const;

 private:
  struct Limits {
    double below = -std::numeric_limits<double>::infinity();
    double above = std::numeric_limits<double>::infinity();
  };
  void put(model::Measurement& m, double value, const Limits& limits) const;

  std::vector<Prediction> at_truth_;
  std::vector<Limits> limits_;  // of every measurement
};

}  // namespace salvo::fit
