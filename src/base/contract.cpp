#include "base/contract.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace salvo {
namespace {

std::atomic<bool>& is_thrown() {
  static std::atomic<bool> wish{false};
  return wish;
}

}  // namespace

void contract_broken(const char* rule, const char* file, int line) {
  const std::string place = fmt::format("internal error at {}:{}: expected {}", file, line, rule);
  if (is_thrown()) throw ContractBroken(place);
  std::fprintf(stderr, "salvo: %s\n", place.c_str());
  std::abort();
}

void throw_broken_contracts() { is_thrown() = true; }

}  // namespace salvo
