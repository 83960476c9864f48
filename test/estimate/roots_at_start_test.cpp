#include "estimate/ways/roots_at_start.hpp"

#include <gtest/gtest.h>

namespace salvo::estimate {
namespace {

TEST(RootsAtStart, AreToldWhereTheyWereNotLookedFor) {
  const std::vector<RootAtStart> roots{{.variable = "near", .near = 0.7, .value = 0.72},
                                       {.variable = "C", .experiment = "low", .near = 5, .value = 2.7807764}};
  EXPECT_EQ(remarks_on_roots(roots),
            std::vector<std::string>{"the algebraic variable C begins at 2.781 in low, looked for near 5"});
}

}  // namespace
}  // namespace salvo::estimate
