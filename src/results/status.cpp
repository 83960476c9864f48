#include "results/status.hpp"

#include "results/estimates.hpp"

namespace salvo {

std::string_view to_string(AtBound at_bound) {
  switch (at_bound) {
    case AtBound::none: return "";
    case AtBound::lower: return "lower";
    case AtBound::upper: return "upper";
  }
  return "";
}

std::string_view to_string(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::wald: return "wald";
    case IntervalKind::likelihood: return "likelihood";
    case IntervalKind::unbounded: return "unbounded";
  }
  return "";
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged: return "converged";
    case Status::max_iterations: return "max_iterations";
    case Status::max_time: return "max_time";
    case Status::infeasible: return "infeasible";
    case Status::stalled: return "stalled";
    case Status::interrupted: return "interrupted";
    case Status::numerical_failure: return "numerical_failure";
  }
  return {};
}

}  // namespace salvo
