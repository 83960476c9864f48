#include "base/contract.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/broken_contract.hpp"

namespace salvo {
namespace {

std::atomic<int> guards{0};

}  // namespace

ContractsThrow::ContractsThrow() { ++guards; }
ContractsThrow::~ContractsThrow() { --guards; }

void contract_broken(const char* rule, const char* file, int line) {
  const std::string text = fmt::format("internal error at {}:{}: expected {}", file, line, rule);
  if (guards > 0) throw BrokenContract(text);
  std::fprintf(stderr, "salvo: %s\n", text.c_str());
  std::abort();
}

}  // namespace salvo
