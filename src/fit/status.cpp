#include "fit/status.hpp"

namespace salvo::fit {

Status to_status(solve::Termination termination) {
  switch (termination) {
    case solve::Termination::converged: return Status::converged;
    case solve::Termination::max_iterations: return Status::max_iterations;
    case solve::Termination::max_time: return Status::max_time;
    case solve::Termination::interrupted: return Status::interrupted;
    case solve::Termination::infeasible: return Status::infeasible;
    case solve::Termination::stalled: return Status::stalled;
    case solve::Termination::numerical_failure: return Status::numerical_failure;
    case solve::Termination::joined: return Status::stalled;
  }
  return Status::numerical_failure;
}

std::string_view to_string(AtBound at_bound) {
  switch (at_bound) {
    case AtBound::none: return "";
    case AtBound::lower: return "lower";
    case AtBound::upper: return "upper";
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

}  // namespace salvo::fit
