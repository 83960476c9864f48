#include "report/run_record.hpp"

#include <fstream>
#include <sstream>

#include "report/sha256.hpp"

namespace salvo::report {

InputFile input_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {path, {}};
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return {path, sha256(bytes.str())};
}

}  // namespace salvo::report
