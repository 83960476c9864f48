#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace salvo::report {

// How a fit can be repeated.
struct InputFile {
  std::string name{};    // as the user named it
  std::string sha256{};  // empty if it cannot be read any more
};
struct RunRecord {
  std::string command{};  // for a shell; empty if the library was called
  std::uint64_t seed = 1;
  int threads = 1;
  std::vector<InputFile> files{};
};

InputFile input_file(const std::string& path);

}  // namespace salvo::report
