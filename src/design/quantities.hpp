#pragma once

#include <string>
#include <vector>

#include "design/information.hpp"
#include "estimate/quantities.hpp"

namespace salvo::design {

// The columns of the information with their names and where they stand.
struct Quantities {
  std::vector<Column> columns{};
  std::vector<estimate::Quantity> names{};  // `unknown` is the place among the columns
  std::vector<double> scaled{};             // values on their scales
  std::vector<bool> is_new{};               // the initial value of an experiment that the file does not have

  int size() const { return static_cast<int>(columns.size()); }
  double slope(int k) const { return model::from_scale_slope(names[k].estimated->scale, scaled[k]); }
  // The columns of this name: "k", "x1" of every experiment, "low:x1".
  std::vector<int> named(const std::string& name) const;
  // What counts as one of each, for directions that people read.
  Eigen::VectorXd sizes() const;
};

// Of the problem with new experiments, after `old` ones; it must outlive them. Those that stand at a bound are held
// there: their names go into `held`.
Quantities quantities_of(const model::Problem& problem, const model::Problem& given, std::vector<Column> columns,
                         std::vector<std::string>& held);

}  // namespace salvo::design
