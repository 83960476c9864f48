#pragma once

namespace salvo::cli {

// The whole program: reads the arguments, runs one command, returns the exit code.
int run(int argc, const char* const* argv);

}  // namespace salvo::cli
