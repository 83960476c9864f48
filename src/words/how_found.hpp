#pragma once

#include <string>

#include "estimate/estimate.hpp"

namespace salvo::words {

// How the answer was found, if not from the guess as it stands, and what else was looked for; empty where there is
// nothing to say. It begins with a space.
std::string how_it_was_found(const estimate::Estimation& estimation);

}  // namespace salvo::words
