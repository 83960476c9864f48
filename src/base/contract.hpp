#pragma once

#include <stdexcept>

namespace salvo {

// A rule that a caller broke, where that must not end the process.
struct BrokenContract : std::logic_error {
  using std::logic_error::logic_error;
};

// While one of these lives, a broken rule is thrown as BrokenContract: for a border that another language calls
// across, whose process is not ours to end. It holds for all threads, since those of a loop work for its caller.
class ContractsThrow {
 public:
  ContractsThrow();
  ~ContractsThrow();
  ContractsThrow(const ContractsThrow&) = delete;
  ContractsThrow& operator=(const ContractsThrow&) = delete;
};

// Ends the program with the broken rule and its place.
[[noreturn]] void contract_broken(const char* rule, const char* file, int line);

}  // namespace salvo

// A rule the caller must keep; checked in every build.
#define SALVO_EXPECTS(rule) \
  static_cast<bool>(rule) ? static_cast<void>(0) : ::salvo::contract_broken(#rule, __FILE__, __LINE__)
