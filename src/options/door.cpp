#include "options/door.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace salvo::options {

namespace {

std::string as_keyword(std::string_view option) {
  if (option == "--at") return "times";
  if (option == "--from") return "values";
  std::string name(option.substr(2));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

std::string spelled(Door door, std::string_view option) {
  switch (door) {
    case Door::command_line: return std::string(option);
    case Door::object: return fmt::format("'{}'", option.substr(2));
    case Door::keywords: return as_keyword(option);
  }
  return {};
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
          {Hint::tolerance, "--rtol 1e-5"},
          {Hint::cells, "--cells"},
          {Hint::accept_grid, "--accept-grid-error"}};
}

Spelling as_keywords() {
  return {{Hint::iterations, "max_iterations=..."},
          {Hint::time, "max_time=..."},
          {Hint::effort, "effort=..."},
          {Hint::go_on, "guess=fit"},
          {Hint::hold, "with_(fix=...)"},
          {Hint::guess, "guess=..."},
          {Hint::starts, "starts=20"},
          {Hint::nodes, "nodes=..."},
          {Hint::at_measurements, "nodes='measurements'"},
          {Hint::accuracy, "rtol=1e-11"},
          {Hint::tolerance, "rtol=1e-5"},
          {Hint::cells, "cells ="},
          {Hint::accept_grid, "accept_grid_error=True"}};
}

}  // namespace salvo::options
