#include "estimate/answer/standing.hpp"

namespace salvo::estimate {

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::minimum: return "minimum";
    case Standing::minimum_on_nodes: return "minimum on nodes";
    case Standing::no_minimum: return "no minimum";
    case Standing::torn: return "torn";
    case Standing::unknown: return "unknown";
  }
  return {};
}

Status status_of(Standing standing, solve::Termination ended) {
  if (is_minimum(standing)) return Status::converged;
  switch (ended) {
    case solve::Termination::max_iterations: return Status::max_iterations;
    case solve::Termination::max_time: return Status::max_time;
    case solve::Termination::interrupted: return Status::interrupted;
    case solve::Termination::infeasible: return Status::infeasible;
    case solve::Termination::numerical_failure: return Status::numerical_failure;
    case solve::Termination::stalled:
    case solve::Termination::joined:
    case solve::Termination::converged: break;
  }
  return Status::stalled;
}

std::string_view to_string(solve::Termination ended) {
  switch (ended) {
    case solve::Termination::converged: return "tolerance";
    case solve::Termination::max_iterations: return "iterations";
    case solve::Termination::max_time: return "deadline";
    case solve::Termination::interrupted: return "interrupted";
    case solve::Termination::infeasible:
    case solve::Termination::stalled: return "no_step";
    case solve::Termination::numerical_failure: return "not_computable";
    case solve::Termination::joined: return "joined";
  }
  return {};
}

}  // namespace salvo::estimate
