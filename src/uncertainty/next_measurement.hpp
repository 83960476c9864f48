#pragma once

#include "estimate/quantities.hpp"
#include "results/next_measurement.hpp"
#include "uncertainty/errors.hpp"

namespace salvo::uncertainty {

// Which observable, at which of the times that were measured, would tell most about what is known least: the unseen
// direction if there is one, else the estimate with the largest relative error. Nothing where no measurement helps, or
// where it would cost too much to find out.
std::optional<NextMeasurement> next_measurement(const shooting::ShootingProblem& shooting,
                                                const std::shared_ptr<const compile::CompiledModel>& compiled,
                                                const nlp::Point& q, const Errors& errors);

}  // namespace salvo::uncertainty
