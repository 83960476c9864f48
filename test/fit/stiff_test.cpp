#include "fits.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

using test::fit_of;

model::Problem example(const std::string& name) {
  const auto problem =
      formats::read_problem(std::string(SALVO_SOURCE_DIR) + "/examples/" + name + "/" + name + ".yaml");
  EXPECT_TRUE(problem);
  return *problem;
}

TEST(StiffFit, IsTheSameForAnyNumberOfThreads) {
  for (const char* name : {"robertson", "mechanism"}) {
    const model::Problem problem = example(name);
    const FitResult one = fit_of(problem, {.threads = 1});
    const FitResult four = fit_of(problem, {.threads = 4});
    EXPECT_EQ(one.status, Status::converged) << one.message;
    EXPECT_EQ(one.integrator, "rodas5p");
    EXPECT_EQ(test::estimates(one), test::estimates(four));
    EXPECT_EQ(one.objective, four.objective);
    EXPECT_EQ(one.iterations, four.iterations);
  }
}

TEST(StiffFit, SaysThatTheEquationsAreStiff) {
  std::string told;
  RunContext context;
  context.listener = [&](const Event& event) {
    if (const auto* remark = std::get_if<Remark>(&event)) told += remark->text + "\n";
  };
  fit(example("robertson"), {}, context);
  EXPECT_NE(told.find("the equations are stiff"), std::string::npos) << told;
}

TEST(StiffFit, AgreesWithOtherMethods) {
  const model::Problem problem = example("robertson");
  const FitResult automatic = fit_of(problem);
  const FitResult single = fit_of(problem, {.nodes = model::SingleInterval{},
                                            .integrator = model::Rodas5p{.rtol = 1e-10},
                                            .guess = {{"k1", 0.05}, {"k2", 2e7}, {"k3", 2e4}}});
  ASSERT_EQ(single.status, Status::converged) << single.message;
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(automatic.parameters[k].estimate / single.parameters[k].estimate, 1, 1e-5);
}

// The gradient of one unbroken trajectory against differences at a tight tolerance.
TEST(StiffFit, HasTheGradientOfItsLikelihood) {
  const model::Problem problem = example("robertson");
  const std::map<std::string, double> at{{"k1", 0.05}, {"k2", 2e7}, {"k3", 2e4}};
  const EvaluateResult result = evaluate(problem, {.gradient = true, .values = at});
  ASSERT_TRUE(result.ok) << result.message;
  for (const auto& [id, slope] : result.gradient) {
    const auto llh = [&, &name = id](double step) {
      std::map<std::string, double> moved = at;
      moved[name] *= std::pow(10, step);
      return evaluate(problem, {.integrator = model::Rodas5p{.rtol = 1e-12}, .values = moved}).llh;
    };
    const double h = 1e-3;
    const double expected = (8 * (llh(h) - llh(-h)) - (llh(2 * h) - llh(-2 * h))) / (12 * h);
    EXPECT_NEAR(slope / expected, 1, 1e-6) << id;
  }
}

}  // namespace
}  // namespace salvo::fit
