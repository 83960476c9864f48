#pragma once

#include "runs/team.hpp"

namespace salvo::cli {

// The whole program: reads the arguments, runs one command, returns the exit code. Of several processes that share the
// work this is the first.
int run(int argc, const char* const* argv, runs::Team* team = nullptr);

}  // namespace salvo::cli
