#include "options/door.hpp"

#include <fmt/format.h>

#include <utility>

namespace salvo::options {

std::string spelled(Door door, std::string_view option) {
  return door == Door::command_line ? std::string(option) : fmt::format("'{}'", option.substr(2));
}

Issue usage_issue(std::string message, std::string hint) {
  return {.kind = Issue::Kind::unreadable, .message = std::move(message), .hint = std::move(hint)};
}

Spelling as_options() {
  return {{Hint::iterations, "--max-iterations"},
          {Hint::time, "--max-time"},
          {Hint::effort, "--effort"},
          {Hint::go_on, "--from"},
          {Hint::hold, "--fix"},
          {Hint::guess, "--guess"},
          {Hint::starts, "--starts 20"},
          {Hint::nodes, "--nodes"},
          {Hint::at_measurements, "--nodes measurements"},
          {Hint::accuracy, "--rtol 1e-11"},
          {Hint::tolerance, "--rtol 1e-5"}};
}

}  // namespace salvo::options
