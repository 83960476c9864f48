#include "fit/status.hpp"

namespace salvo::fit {

Status to_status(const solve::SolveResult& result) {
  using solve::Ended;
  if (result.claims_minimum) return Status::converged;
  if (solve::is_stalled(result)) return Status::stalled;
  switch (result.ended) {
    case Ended::budget:
    case Ended::iterations: return Status::max_iterations;
    case Ended::deadline: return Status::max_time;
    case Ended::interrupted: return Status::interrupted;
    case Ended::no_step:
    case Ended::conflict: return Status::infeasible;
    case Ended::not_computable: return Status::numerical_failure;
    case Ended::tolerance:
    case Ended::early_stopping:
    case Ended::joined: return Status::stalled;
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
