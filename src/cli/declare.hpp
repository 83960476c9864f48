#pragma once

#include "cli/arguments.hpp"

namespace CLI {
class App;
}

namespace salvo::cli {

// Tells the parser every command and option, with the help that a person can learn from.
void declare_commands(CLI::App& app, Arguments& arguments);

}  // namespace salvo::cli
