#pragma once

namespace salvo {

// Ends the program with the broken rule and its place.
[[noreturn]] void contract_broken(const char* rule, const char* file, int line);

}  // namespace salvo

// A rule the caller must keep; checked in every build.
#define SALVO_EXPECTS(rule) \
  static_cast<bool>(rule) ? static_cast<void>(0) : ::salvo::contract_broken(#rule, __FILE__, __LINE__)
