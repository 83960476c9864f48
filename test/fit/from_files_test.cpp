#include <filesystem>

#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

using test::estimate_of;
using test::fit_of;

TEST(FitFromFiles, NoiseThatIsStatedNowhereIsEstimated) {
  const formats::Folder folder({{"line.yaml",
                                 "equations:\n  x: 0*k\ninitial:\n  x: {guess: 1}\nparameters:\n  k: 1\n"
                                 "observables:\n  level: {formula: x}\ndata: line.csv\n"},
                                {"line.csv", "time,level\n0,1\n1,3\n2,2\n3,6\n"}});
  const auto problem = formats::read_problem(folder / "line.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().at(0));
  const FitResult result = fit_of(*problem);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.initial.at(0).estimate, 3, 1e-7);
  ASSERT_EQ(result.parameters.size(), 1u);
  EXPECT_NEAR(result.parameters[0].estimate, std::sqrt((4 + 0 + 1 + 9) / 4.0), 1e-7);
}

// Two experiments share k; each has a dose of its own: x = dose e^(-k t).
TEST(FitFromFiles, ExperimentsShareTheirParameters) {
  std::string data = "time,experiment,amount\n";
  for (const auto& [name, dose] : {std::pair{"low", 1.0}, std::pair{"high", 5.0}})
    for (int j = 1; j <= 4; ++j)
      data += std::to_string(j) + "," + name + "," + std::to_string(dose * std::exp(-0.35 * j)) + "\n";
  const formats::Folder folder({{"doses.yaml",
                                 "equations:\n  x: -k*x\ninitial:\n  x: dose\nparameters:\n  k: {guess: 1}\n  dose: 3\n"
                                 "observables:\n  amount: {formula: x, noise: 0.01}\ndata: doses.csv\n"
                                 "experiments:\n  low: {set: {dose: 1}}\n  high: {set: {dose: 5}}\n"},
                                {"doses.csv", data}});
  const auto problem = formats::read_problem(folder / "doses.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().at(0));
  const FitResult result = fit_of(*problem, {.nodes = model::NodesAtMeasurements{}});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "k").estimate, 0.35, 1e-5);
  EXPECT_EQ(result.nodes, 10);
}

TEST(FitFromFiles, SolvesTheSharedProblems) {
  const std::string folder = std::string(SALVO_SOURCE_DIR) + "/../shared/problems/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "The shared problems are not beside the source.";
  const auto notorious = formats::read_problem(folder + "notorious_mu20/problem.yaml");
  ASSERT_TRUE(notorious);
  const FitResult result = fit_of(*notorious);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.chi2, 19.9717802221, 1e-5);
  EXPECT_NEAR(*estimate_of(result, "p").standard_error, 0.0101808, 1e-5);
  const auto nagumo = formats::read_problem(folder + "fitzhugh_nagumo_1/problem.yaml");
  ASSERT_TRUE(nagumo);
  EXPECT_EQ(fit_of(*nagumo).status, Status::converged);
}

}  // namespace
}  // namespace salvo::fit
