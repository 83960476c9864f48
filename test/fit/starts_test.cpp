#include <algorithm>
#include <atomic>
#include <cmath>

#include "fits.hpp"

namespace salvo::fit {
namespace {

// The guess of p4 has the wrong sign; no start within a factor of ten of it comes near the optimum.
TEST(ManyStarts, CrossZero) {
  const FitResult result = fit(test::predator_prey(), {.threads = 2, .starts = 20, .seed = 1}, {});
  int converged = 0;
  for (const StartResult& start : result.starts) converged += start.status == Status::converged ? 1 : 0;
  EXPECT_GE(converged, 8) << result.message;
}

TEST(ManyStarts, GiveTheSameBitsForAnyNumberOfThreadsAndTheBestFirst) {
  const model::Problem problem = test::predator_prey();
  Options options{.starts = 6, .seed = 3};
  const FitResult one = fit(problem, options, {});
  options.threads = 2;
  const FitResult two = fit(problem, options, {});
  ASSERT_EQ(one.starts.size(), 6u);
  for (std::size_t n = 0; n < one.starts.size(); ++n) {
    EXPECT_EQ(one.starts[n].start, two.starts[n].start);
    EXPECT_EQ(one.starts[n].objective, two.starts[n].objective);
    EXPECT_EQ(one.starts[n].parameters, two.starts[n].parameters);
  }
  EXPECT_EQ(one.status, Status::converged);
  EXPECT_EQ(one.parameters[0].estimate, two.parameters[0].estimate);
  for (const StartResult& start : one.starts) {
    if (start.status != Status::converged) continue;
    EXPECT_LE(one.starts[0].objective, start.objective + AnswerRules{}.better);
  }
}

TEST(ManyStarts, KeepWhatWasSaidExplicitly) {
  const FitResult result = fit(test::predator_prey(), {.starts = 3, .guess = {{"p4", 0.9}}}, {});
  EXPECT_NE(result.message.find("of 3 starts converged"), std::string::npos) << result.message;
  EXPECT_EQ(result.trace[0].p[3], 0.9);
}

// x = 1/(1 - t): from any guess of the scale there is a pole at t = 1.
model::Problem pole_at_one() {
  test::Builder builder(test::Equations{{"x", "x^2"}});
  builder.parameter("s", test::estimated(1));
  builder.observable("scaled", "s*x", "0.1");
  builder.experiment(model::default_experiment, {std::string("1")});
  builder.measure(0, 0, 0.5, 2).measure(0, 0, 2, 5);
  return builder.build();
}

TEST(OtherStarts, SayThatTheyWereInterrupted) {
  std::atomic<bool> searching = false;
  RunContext context;
  context.listener = [&](const Event& event) {
    const auto* remark = std::get_if<Remark>(&event);
    searching = searching || (remark != nullptr && remark->text.find("other starts") != std::string::npos);
  };
  context.interrupted = [&] { return searching.load(); };
  const FitResult result = fit(pole_at_one(), {}, context);
  ASSERT_TRUE(searching);
  EXPECT_EQ(result.status, Status::interrupted) << result.message;
}

}  // namespace
}  // namespace salvo::fit
