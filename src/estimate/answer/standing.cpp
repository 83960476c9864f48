#include "estimate/answer/standing.hpp"

namespace salvo::estimate {

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

}  // namespace salvo::estimate
