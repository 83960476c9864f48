#include <atomic>

#include "fits.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

model::Problem long_example(const std::string& name) {
  const auto problem =
      formats::read_problem(std::string(SALVO_SOURCE_DIR) + "/examples/" + name + "/" + name + ".yaml");
  EXPECT_TRUE(problem);
  return *problem;
}

const RunContext at_once{.interrupted = [] { return true; }};

// Explicit steps on these equations take millions of evaluations before the first node is laid.
TEST(Stop, IsHeededWhileNodesAreLaid) {
  const FitResult result = fit(long_example("robertson"), {.integrator = model::Dopri5{}}, at_once);
  EXPECT_EQ(result.status, Status::interrupted) << result.message;
  EXPECT_LT(result.work.rhs, 100'000);
}

TEST(Stop, IsHeededByEveryMethod) {
  for (const auto method : {model::Method::gauss_newton, model::Method::lagrangian, model::Method::scalar}) {
    SCOPED_TRACE(model::to_string(method));
    const FitResult result = fit(long_example("nerve"), {.method = method}, at_once);
    EXPECT_EQ(result.status, Status::interrupted) << result.message;
    EXPECT_LT(result.work.rhs, 100'000);
  }
}

TEST(Stop, LeavesTheStartDescribed) {
  const FitResult result = fit(test::predator_prey(), {}, at_once);
  EXPECT_EQ(result.status, Status::interrupted);
  ASSERT_EQ(result.parameters.size(), 4u);
  EXPECT_TRUE(std::isfinite(result.parameters[0].estimate));
  EXPECT_FALSE(result.start_arcs.empty());
  // Nodes laid on data are not joined before a solver has joined them.
  EXPECT_GT(result.gap, 1e-3);
  EXPECT_FALSE(result.parameters[0].standard_error.has_value());
}

// The largest of very many numbers takes seconds to compile.
model::Problem large_problem() {
  std::string largest = "max(0";
  for (int i = 1; i < 60'000; ++i) largest += ", " + std::to_string(i) + "e-9*x + k";
  test::Builder builder({{"x", "-k*" + largest + ")"}});
  builder.parameter("k", test::estimated(1)).observable("y", "x", "0.1").experiment("e", {std::string("1")});
  return builder.measure(0, 0, 1, 0.4).measure(0, 0, 2, 0.2).build();
}

TEST(Stop, IsHeededWhileEquationsAreCompiled) {
  const model::Problem problem = large_problem();
  const FitResult late = fit(problem, {.max_seconds = 1e-9}, {});
  EXPECT_EQ(late.status, Status::max_time);
  EXPECT_TRUE(late.message.starts_with("The time ran out while the equations were compiled")) << late.message;
  EXPECT_EQ(fit(problem, {}, at_once).status, Status::interrupted);
  const std::vector<Finding> findings = check(problem, {.max_seconds = 1e-9});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].text.find("the rest was left out"), std::string::npos) << findings[0].text;
  StopFlag raised;
  raised.raise();
  const EvaluateResult given_up = evaluate(problem, {}, {.stop = &raised});
  EXPECT_FALSE(given_up.ok);
  EXPECT_EQ(given_up.message, "the run was told to stop");
}

TEST(Stop, AFinishedStartIsTheAnswerOfMany) {
  for (const int threads : {1, 2}) {
    std::atomic<int> done = 0;
    RunContext context;
    context.listener = [&](const Event& event) { done += std::holds_alternative<StartDone>(event) ? 1 : 0; };
    context.interrupted = [&] { return done >= 3; };
    const FitResult result = fit(test::predator_prey(), {.threads = threads, .starts = 40}, context);
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(result.gap, 1e-8);
    EXPECT_EQ(result.starts.front().status, Status::converged);
    EXPECT_NEAR(result.objective, result.starts.front().objective, 1e-9 * std::abs(result.objective));
    EXPECT_NE(result.message.find("were finished"), std::string::npos) << result.message;
    EXPECT_TRUE(result.parameters[0].standard_error.has_value());
  }
}

TEST(Stop, NoStartThatWasCutOffIsPreferredToAFinishedOne) {
  // The second start is cut off where it lies lower than the first has ended.
  std::atomic<bool> first_done = false;
  RunContext context;
  context.listener = [&](const Event& event) { first_done = first_done || std::holds_alternative<StartDone>(event); };
  std::atomic<int> looks = 0;
  context.interrupted = [&] { return first_done && ++looks > 20; };
  const FitResult result = fit(test::predator_prey(), {.starts = 2}, context);
  EXPECT_EQ(result.status, Status::converged) << result.message;
}

TEST(Stop, StudiesHeedTheirTime) {
  StudyOptions options{.replicates = 1000, .truth = test::predator_prey_truth};
  options.fit.max_seconds = 1e-9;
  const StudyResult result = study(test::predator_prey(), options, {});
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.replicates, 0);
}

TEST(Stop, NothingIsCalledConvergedThatCouldNotBeProved) {
  // Interrupted after so many looks at the wish: wherever that falls, in the run or in its proof.
  for (const int most : {1, 3, 10, 30, 60, 100}) {
    std::atomic<int> looks = 0;
    const RunContext context{.interrupted = [&] { return ++looks > most; }};
    const FitResult result = fit(test::predator_prey(), {}, context);
    if (result.status == Status::converged) {
      EXPECT_TRUE(result.certificate.holds()) << result.certificate.missing;
    } else {
      EXPECT_EQ(result.status, Status::interrupted) << result.message;
    }
  }
}

}  // namespace
}  // namespace salvo::fit
