#pragma once

#include <stdexcept>

namespace salvo {

// A rule that the caller has broken, and its place.
class ContractBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Ends the program with the broken rule and its place, or throws them.
[[noreturn]] void contract_broken(const char* rule, const char* file, int line);

// From now on broken rules are thrown as ContractBroken. For those whose process is not theirs to end: libraries that an
// interpreter has loaded.
void throw_broken_contracts();

}  // namespace salvo

// A rule the caller must keep; checked in every build.
#define SALVO_EXPECTS(rule) \
  static_cast<bool>(rule) ? static_cast<void>(0) : ::salvo::contract_broken(#rule, __FILE__, __LINE__)
