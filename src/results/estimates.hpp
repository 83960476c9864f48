#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/problem.hpp"
#include "results/status.hpp"

namespace salvo {

// Where the ends of an interval come from.
enum class IntervalKind {
  wald,        // the standard error
  likelihood,  // its own rise, at one end at least
  unbounded    // there is no end within the bounds
};
std::string_view to_string(IntervalKind kind);

// One estimated quantity: a parameter, or an initial value of one experiment; or a number derived from these.
struct Estimate {
  std::string id{};
  std::string experiment{};  // empty for parameters, and for what is the same in all
  model::Axis axis{};        // unit and label that the user gave it
  double estimate = 0;       // user units
  std::optional<double> standard_error{};
  // 95 %, formed on the scale, in user units, within the bounds; infinite at an end that the likelihood does not have
  // there
  std::optional<std::pair<double, double>> interval{};
  IntervalKind interval_kind = IntervalKind::wald;
  std::optional<std::pair<double, double>> interval_wald{};  // where `interval` is another one
  bool is_unchecked = false;  // an end rests on the standard error alone: the likelihood was not followed there
  std::optional<double> standard_error_observed{};  // by the inverse Hessian, where that is positive definite
  bool errors_differ = false;                       // the two standard errors, by more than a fifth
  std::optional<double> student_degrees{};          // of the t that formed it; missing where the noise is known
  model::Scale scale = model::Scale::lin;
  std::pair<double, double> bounds{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
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
