#include <gtest/gtest.h>

#include <set>

#include "results/fit_result.hpp"
#include "results/profiles.hpp"
#include "results/status.hpp"

namespace salvo {
namespace {

// The words that files hold: one for each.
TEST(NamesOfResults, AreDifferentAndInSnakeCase) {
  std::set<std::string_view> names;
  for (const Status status : {Status::converged, Status::max_iterations, Status::max_time, Status::infeasible,
                              Status::stalled, Status::interrupted, Status::numerical_failure}) {
    EXPECT_EQ(to_string(status).find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
    names.insert(to_string(status));
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_EQ(to_string(AtBound::none), "");
  EXPECT_EQ(to_string(AtBound::upper), "upper");
  EXPECT_EQ(to_string(Verdict::one_sided), "one-sided");
}

}  // namespace
}  // namespace salvo
