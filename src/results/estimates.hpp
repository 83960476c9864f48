#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/problem.hpp"
#include "results/status.hpp"

namespace salvo {

// One estimated quantity: a parameter, or an initial value of one experiment.
struct Estimate {
  std::string id{};
  std::string experiment{};  // empty for parameters
  double estimate = 0;       // user units
  std::optional<double> standard_error{};
  // 95 %, formed on the scale, in user units, within the bounds
  std::optional<std::pair<double, double>> interval{};
  std::optional<double> student_degrees{};  // of the t that formed it; missing where the noise is known
  model::Scale scale = model::Scale::lin;
  AtBound at_bound = AtBound::none;
  bool identifiable = true;
};

struct NullDirection {
  std::vector<std::pair<std::string, double>> parts{};  // id (as in the covariance) and coefficient
};

// A constraint of the problem at the solution.
struct ConstraintResult {
  std::string text{};
  bool is_equality = false;
  bool active = false;       // holds with equality: the errors are conditional on it
  bool in_conflict = false;  // contradicts others, and the fit ended for that
  double multiplier =
      0;  // by how much the objective would fall per unit that the constraint gives way, where it is largest
  struct Place {
    std::string experiment{};
    std::optional<double> time{};  // missing where it does not speak of nodes
  };
  std::vector<Place> places{};  // where it is active; empty if it holds for the whole problem at once
};

}  // namespace salvo
