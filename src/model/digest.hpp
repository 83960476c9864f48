#pragma once

#include <string>

#include "model/problem.hpp"

namespace salvo::model {

// Digests (SHA-256) by which two fits can be compared.

// Of all that was measured and is fitted, whatever the files and the order in which it stands there.
std::string data_digest(const Problem& problem);

// Of equations, observables, noise, events and experiments, whatever is estimated of their parameters and initial
// values.
std::string model_digest(const Problem& problem);

}  // namespace salvo::model
