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

// Three doses of 100, each when a trough has just been drawn: x = 100 (1 + q + q^2 ...), q = e^(-12 k).
std::string troughs(bool for_nonmem) {
  std::string table = for_nonmem ? "ID,TIME,AMT,EVID,DV\n" : "time,observable,value,measured\n";
  const double q = std::exp(-12 * 0.15);
  double before = 0;
  for (int n = 0; n < 4; ++n) {
    const std::string time = std::to_string(12 * n), trough = std::to_string(before / 10);
    const std::string peak = std::to_string((before + 100) * std::exp(-2 * 0.15) / 10);
    const std::string later = std::to_string(12 * n + 2);
    if (for_nonmem)
      table += "1," + time + ",.,0," + trough + "\n1," + time + ",100,1,.\n1," + later + ",.,0," + peak + "\n";
    else
      table += time + ",conc," + trough + ",before\n" + later + ",conc," + peak + ",\n";
    before = (before + 100) * q;
  }
  return table;
}

TEST(FitFromFiles, TroughsAreSeenBeforeTheDoseOfTheirTime) {
  const std::string model =
      "equations: {c: -k*c}\ninitial: {c: 0}\nparameters: {k: {guess: 0.2}, V: {guess: 8}}\n"
      "observables: {conc: {formula: c/V, noise: 0.1}}\n";
  const formats::Folder folder(
      {{"nonmem.yaml", model + "data: {file: nonmem.csv, format: nonmem}\n"},
       {"nonmem.csv", troughs(true)},
       {"plain.yaml", model + "data: plain.csv\nevents: [{at: [0, 12, 24, 36], add: {c: 100}}]\n"},
       {"plain.csv", troughs(false)}});
  for (const char* file : {"nonmem.yaml", "plain.yaml"}) {
    const auto problem = formats::read_problem(folder / file);
    ASSERT_TRUE(problem) << to_string(problem.issues().at(0));
    for (const model::Nodes& nodes :
         {model::Nodes{model::SingleInterval{}}, model::Nodes{model::NodesAtMeasurements{}}}) {
      const FitResult result = fit_of(*problem, {.nodes = nodes});
      ASSERT_EQ(result.status, Status::converged) << file << ": " << result.message;
      EXPECT_NEAR(estimate_of(result, "k").estimate, 0.15, 1e-5) << file;
      EXPECT_NEAR(estimate_of(result, "V").estimate, 10, 1e-3) << file;
      EXPECT_LT(result.chi2, 1e-6) << file;
    }
  }
}

TEST(FitFromFiles, ValidationDataOfAnExperimentThatIsNotFittedArePredicted) {
  const formats::Folder folder(
      {{"doses.yaml",
        "equations: {x: -k*x}\ninitial: {x: dose}\nparameters: {k: {guess: 1}, dose: 3}\n"
        "observables: {amount: {formula: x, noise: 0.1}}\ndata: low.csv\nvalidation: high.csv\n"
        "experiments: {low: {set: {dose: 1}}, high: {set: {dose: 5}}}\n"},
       {"low.csv", "time,experiment,amount\n0,low,1\n1,low,0.5\n2,low,0.25\n"},
       {"high.csv", "time,experiment,amount\n1,high,2.5\n3,high,0.625\n"}});
  const auto problem = formats::read_problem(folder / "doses.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().at(0));
  const FitResult result = fit_of(*problem);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  ASSERT_EQ(result.validation.size(), 2u);
  EXPECT_NEAR(result.validation[0].simulation, 2.5, 1e-5);
  EXPECT_NEAR(result.validation[1].simulation, 0.625, 1e-5);
}

// The initial value of S may be said by that of I, or both by a parameter: it is the same problem.
TEST(FitFromFiles, InitialValuesThatFollowFromOthersAreThoseOfAParameter) {
  const std::string equations = "equations:\n  S: -b*S*I/N\n  I: b*S*I/N - c*I\n";
  const std::string rest = "observables:\n  sick: {formula: I, noise: 2}\ndata: sick.csv\n";
  const std::string rates = "parameters:\n  b: {guess: 1}\n  c: {guess: 0.5}\n  N: 763\n";
  const formats::Folder folder(
      {{"state.yaml", equations + "initial:\n  I: {guess: 2, scale: log}\n  S: N - initial(I)\n" + rates + rest},
       {"parameter.yaml",
        equations + "initial:\n  I: I0\n  S: N - I0\n" + rates + "  I0: {guess: 2, scale: log}\n" + rest},
       {"sick.csv", "time,sick\n1,3\n3,25\n4,72\n5,222\n6,282\n7,256\n8,233\n9,189\n10,123\n11,70\n12,25\n13,11\n"}});
  const auto by_state = formats::read_problem(folder / "state.yaml");
  const auto by_parameter = formats::read_problem(folder / "parameter.yaml");
  ASSERT_TRUE(by_state) << to_string(by_state.issues().at(0));
  ASSERT_TRUE(by_parameter) << to_string(by_parameter.issues().at(0));
  const FitResult state = fit_of(*by_state);
  const FitResult parameter = fit_of(*by_parameter);
  ASSERT_EQ(state.status, Status::converged) << state.message;
  ASSERT_EQ(parameter.status, Status::converged) << parameter.message;
  EXPECT_NEAR(state.chi2, parameter.chi2, 1e-6 * parameter.chi2);
  ASSERT_EQ(state.initial.size(), 1u) << "S is known";
  const Estimate& I0 = estimate_of(parameter, "I0");
  EXPECT_NEAR(state.initial[0].estimate, I0.estimate, 1e-5 * I0.estimate);
  EXPECT_NEAR(*state.initial[0].standard_error, *I0.standard_error, 1e-3 * *I0.standard_error);
  EXPECT_NEAR(*estimate_of(state, "b").standard_error, *estimate_of(parameter, "b").standard_error, 1e-5);
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
