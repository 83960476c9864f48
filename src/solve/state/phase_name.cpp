#include "solve/state/phase_name.hpp"

namespace salvo::solve {

std::string_view to_string(PhaseName phase) {
  switch (phase) {
    case PhaseName::start: return "start";
    case PhaseName::renewal: return "renewal";
    case PhaseName::full: return "full";
    case PhaseName::part: return "part";
    case PhaseName::damped: return "damped";
    case PhaseName::penalty: return "penalty";
    case PhaseName::frozen: return "frozen";
    case PhaseName::radius: return "radius";
    case PhaseName::hessian: return "hessian";
    case PhaseName::last_hessian: return "last_hessian";
    case PhaseName::krylov: return "krylov";
    case PhaseName::line: return "line";
  }
  return {};
}

}  // namespace salvo::solve
