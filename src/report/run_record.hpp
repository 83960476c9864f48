#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::report {

// How a fit can be repeated.
struct RunRecord {
  std::string command{};  // for a shell; empty if the library was called
  std::uint64_t seed = 1;
  int threads = 1;
  std::vector<model::InputFile> files{};
};

}  // namespace salvo::report
