#pragma once

#include <array>
#include <string_view>

namespace salvo::solve {

// The phases of all methods; which of them a method has, and what follows what, is in its table (method/README.md).
enum class PhaseName {
  start,         // nothing is known of the point yet
  renewal,       // the point is linearised again, with another accuracy
  full,          // Gauss-Newton on nodes: the whole step
  part,          // ... a half, a quarter, an eighth of it
  damped,        // ... Levenberg and Marquardt's, along joined trajectories
  penalty,       // ... Levenberg and Marquardt's, with a penalty on gaps
  frozen,        // ... steps by the matrices of an earlier linearisation
  radius,        // descent: the step within the radius
  hessian,       // ... the Hessian is computed, every so many iterations
  last_hessian,  // ... and before the descent ends
  krylov,        // Lagrangian: steps by conjugate gradients
  line           // scalar: a line search
};

inline constexpr std::array every_phase{PhaseName::start,        PhaseName::renewal, PhaseName::full,
                                        PhaseName::part,         PhaseName::damped,  PhaseName::penalty,
                                        PhaseName::frozen,       PhaseName::radius,  PhaseName::hessian,
                                        PhaseName::last_hessian, PhaseName::krylov,  PhaseName::line};

std::string_view to_string(PhaseName phase);

}  // namespace salvo::solve
