#pragma once

#include <string>

#include "design/information.hpp"

namespace salvo::design {

// Leaves out candidates at which nothing can be computed: those beyond a pole, or where the noise law knows no such
// prediction. Says how many, from when on and why; nothing where all can be.
std::string keep_usable(const Information& information, std::span<const Column> columns, Candidates& candidates);

}  // namespace salvo::design
