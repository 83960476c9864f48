#include "base/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace salvo {

void contract_broken(const char* rule, const char* file, int line) {
  std::fprintf(stderr, "salvo: internal error at %s:%d: expected %s\n", file, line, rule);
  std::abort();
}

}  // namespace salvo
