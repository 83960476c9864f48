#pragma once

#include <optional>

#include "estimate/answer/answer.hpp"
#include "estimate/workspace.hpp"

namespace salvo::estimate {

// Whether the data are so accurate that errors of integration might matter: some hundred times the tolerance is no
// longer small against sqrt(sum (y/sigma)^2), the number of standard errors by which everything together is known.
bool may_feel_integration(const Workspace& workspace, const Answer& answer, const shooting::ShootingProblem& shooting);

// How far errors of integration may have moved what is estimated, in standard errors: no estimate moves by more than
// the predictions of all data do together, in units of their noise. Trajectories that are so many times coarser show
// it. Nothing where they cannot be computed.
std::optional<double> integration_error(const Workspace& workspace, const Answer& answer,
                                        const shooting::ShootingProblem& shooting);

// Nobody has asked for the tolerance in use, and there are smaller ones: the next of them.
std::optional<model::Integrator> next_finer(const model::Integrator& choice);

}  // namespace salvo::estimate
