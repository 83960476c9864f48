#include "nlp/request.hpp"

#include <gtest/gtest.h>

namespace salvo::nlp {
namespace {

TEST(Learn, AllowsTwentyTimesTheStepsThatWereSeenAndNeverFewerThanTwoThousand) {
  Request request;
  learn(request, {.steps = 500});
  EXPECT_EQ(request.max_steps, 10'000);
  learn(request, {.steps = 30});
  EXPECT_EQ(request.max_steps, 2'000);
  learn(request, {});
  EXPECT_EQ(request.max_steps, 2'000);
}

TEST(Learn, RemembersThatExplicitStepsDidNotServe) {
  Request request;
  learn(request, {});
  EXPECT_FALSE(request.stiff);
  learn(request, {.stiff_intervals = 1});
  EXPECT_TRUE(request.stiff);
  learn(request, {.stiff_intervals = 0});
  EXPECT_TRUE(request.stiff);
}

TEST(Learn, ChangesNothingElse) {
  const Request before{.accuracy = 1e-5, .smoothing = 0.3, .rows = RowsFor::ratios};
  Request after = before;
  learn(after, {.stiff_intervals = 2, .steps = 7});
  after.stiff = before.stiff;
  after.max_steps = before.max_steps;
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace salvo::nlp
