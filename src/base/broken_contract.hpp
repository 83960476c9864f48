#pragma once

#include <stdexcept>

namespace salvo {

// A rule that a caller broke (base/contract.hpp), where that must not end the process.
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

}  // namespace salvo
