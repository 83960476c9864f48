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

Status status_of(Standing standing, solve::Ended ended) {
  using solve::Ended;
  if (is_minimum(standing)) return Status::converged;
  switch (ended) {
    case Ended::iterations: return Status::max_iterations;
    case Ended::deadline: return Status::max_time;
    case Ended::interrupted: return Status::interrupted;
    case Ended::not_computable: return Status::numerical_failure;
    case Ended::conflict: return Status::infeasible;
    case Ended::budget:
    case Ended::no_step:
    case Ended::tolerance:
    case Ended::early_stopping:
    case Ended::joined: break;
  }
  return standing == Standing::torn ? Status::infeasible : Status::stalled;
}

}  // namespace salvo::estimate
