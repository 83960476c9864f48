#include "fit/delays.hpp"

#include "fit/draw_data.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit::delay_tests {
namespace {

using test::estimate_of;
using test::fit_of;

model::Problem read(const std::string& yaml, const std::string& data) {
  const formats::Folder folder({{"problem.yaml", yaml}, {"data.csv", data}});
  auto problem = formats::read_problem(folder / "problem.yaml");
  if (problem) return *std::move(problem);
  for (const Issue& issue : problem.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

// Hutchinson's equation with the data and the optimum of two other programs.
model::Problem hutchinson(const std::string& more = "") {
  constexpr double population[] = {3.893,  7.859,  14.922, 16.829, 12.38, 5.745,  4.915, 6.402,  9.973, 13.934,
                                   15.158, 10.662, 7.201,  6.837,  8.891, 10.975, 13.07, 12.927, 8.68,  7.876};
  std::string data = "time,seen\n";
  for (int i = 0; i < 20; ++i) data += std::to_string(i + 1) + "," + std::to_string(population[i]) + "\n";
  return read("equations:\n  N: r*N*(1 - N(t - tau)/K)\ninitial:\n  N: {guess: 2, bounds: [0.1, 20]}\n" + more +
                  "parameters:\n  r: {guess: 1, bounds: [0.05, 5]}\n  K: {guess: 8, bounds: [1, 50]}\n"
                  "  tau: {guess: 1.5, bounds: [0.1, 10]}\nobservables:\n  seen: {formula: N, noise: 0.5}\n"
                  "data: data.csv\n",
              data);
}

TEST(DelayFit, FindsHutchinsonsConstantsWithTheirErrors) {
  const FitResult result = fit_of(hutchinson());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.chi2, 15.143551174, 1e-6);
  const auto expect = [&](const std::string& id, double value, double error) {
    EXPECT_NEAR(estimate_of(result, id).estimate, value, 1e-5 * value) << id;
    EXPECT_NEAR(*estimate_of(result, id).standard_error, error, 2e-3 * error) << id;
  };
  expect("r", .90007024, .00757);
  expect("K", 10.0123875, .11367);
  expect("tau", 1.5977460, .01131);
  expect("N", 2.0118042, .12246);
}

// From delays that are up to 40 % off, both ways, with guesses of the others that are off by as much.
TEST(DelayFit, FindsHutchinsonsConstantsFromGuessesThatAreFarOff) {
  Random random = Random::stream(10, 0);
  int reached = 0;
  for (int start = 0; start < 20; ++start) {
    model::Problem problem = hutchinson();
    const auto guess = [&](int parameter, double value) {
      std::get<model::Estimated>(problem.parameters[static_cast<std::size_t>(parameter)].value).guess = value;
    };
    guess(0, 0.9 * (0.6 + 0.8 * random.uniform()));
    guess(1, 10 * (0.6 + 0.8 * random.uniform()));
    guess(2, 1.6 * (start % 2 == 0 ? 0.6 + 0.1 * random.uniform() : 1.4 - 0.1 * random.uniform()));
    const FitResult result = fit_of(problem);
    reached += result.status == Status::converged && std::abs(result.chi2 - 15.143551174) < 1e-5 ? 1 : 0;
  }
  EXPECT_EQ(reached, 20);
}

// Neither threads nor how much of the past memory holds change a bit.
TEST(DelayFit, HasTheSameBitsOnAnyNumberOfThreads) {
  const FitResult one = fit_of(hutchinson(), {.threads = 1});
  const FitResult three = fit_of(hutchinson(), {.threads = 3});
  const FitResult little = fit_of(hutchinson(), {.memory = 65536.0, .threads = 2});
  EXPECT_EQ(test::estimates(one), test::estimates(three));
  EXPECT_EQ(test::estimates(one), test::estimates(little));
  EXPECT_EQ(one.chi2, three.chi2);
}

TEST(DelayFit, BeyondTheDataIsNotIdentifiable) {
  model::Problem problem = hutchinson();
  auto& tau = std::get<model::Estimated>(problem.parameters[2].value);
  tau.guess = 40;
  tau.lower = 30;
  tau.upper = 50;
  const FitResult result = fit_of(problem);
  EXPECT_FALSE(estimate_of(result, "tau").identifiable) << result.message;
}

// The equation of Mackey and Glass in its chaotic range. The best fit is that from the truth.
TEST(DelayFit, FindsMackeyAndGlassFromGuessesThatAreFarOff) {
  const auto problem_with = [](double beta, double gamma, double tau) {
    test::Builder builder(test::Equations{{"x", "beta*delay(x, tau)/(1 + delay(x, tau)^10) - gamma*x"}});
    builder.parameter("beta", test::within(beta, 0.001, 10, model::Scale::log));
    builder.parameter("gamma", test::within(gamma, 0.001, 10, model::Scale::log));
    builder.parameter("tau", test::within(tau, 1, 60, model::Scale::log)).observable("seen", "x", "0.03");
    builder.experiment(model::default_experiment, {test::within(0.5, 0.01, 5)});
    for (int j = 1; j <= 100; ++j) builder.measure(0, 0, 2 * j, 1);
    return builder.build();
  };
  model::Problem truth = problem_with(0.2, 0.1, 17);
  std::vector<Prediction> at_truth = evaluate(truth, {}).simulations;
  Random random = Random::stream(12, 0);
  DataDrawer(truth, std::move(at_truth)).draw(truth, random);
  const double best = fit_of(truth).chi2;
  int reached = 0;
  for (int start = 0; start < 20; ++start) {
    const auto off = [&](double value) { return value * std::exp(random.uniform() - 0.5); };
    const double beta = off(0.2), gamma = off(0.1), tau = off(17);
    model::Problem problem = problem_with(beta, gamma, tau);
    problem.measurements = truth.measurements;
    const FitResult result = fit_of(problem);
    reached += result.status == Status::converged && std::abs(result.chi2 - best) < 1e-5 ? 1 : 0;
  }
  EXPECT_GE(reached, 19);
}

std::string findings_of(const model::Problem& problem) {
  std::string text;
  for (const Finding& finding : check(problem, {})) text += finding.text + "\n";
  return text;
}

TEST(CheckOfDelays, SaysWhatWasFound) {
  const std::string text = findings_of(hutchinson());
  EXPECT_NE(text.find("1 delay (tau = 1.5 at the guess); formulas look back at N"), std::string::npos) << text;
  EXPECT_NE(text.find("N is taken to have been what it is there"), std::string::npos) << text;
  EXPECT_NE(text.find("comes again 5 times up to t = 20"), std::string::npos) << text;
  EXPECT_NE(findings_of(hutchinson("history:\n  N: 2 + 0.1*t\n")).find("before the start, N was 2 + 0.1*t"),
            std::string::npos);
}

// u^3 + u = x + delay(x, 1): 1 and what the history says. Conditions on earlier values switch with those.
TEST(CheckOfDelays, FindsRootsThatDependOnThePast) {
  const model::Problem problem = read(
      "equations:\n  x: -k*u + piecewise(0.1, delay(x, 1) > 0.9, 0)\nalgebraic:\n  u: u^3 + u - x - delay(x, 1)\n"
      "history:\n  x: 9\ninitial:\n  x: 1\n  u: {near: 1.9}\nparameters:\n  k: {guess: 0.3, bounds: [0.05, 5]}\n"
      "observables:\n  seen: {formula: x, noise: 0.5}\ndata: data.csv\n",
      "time,seen\n0.5,0.7\n1.5,0.5\n2.5,0.2\n");
  const std::string text = findings_of(problem);
  EXPECT_NE(text.find("u begins at 2 (looked for near 1.9)"), std::string::npos) << text;
  EXPECT_NE(text.find("the condition 0.9 < delay(x, 1) switches at t = "), std::string::npos) << text;
}

TEST(CheckOfDelays, SaysWhenADelayOutlastsTheDataOrIsTooShort) {
  model::Problem problem = hutchinson();
  problem.parameters[2].value = 30.0;
  EXPECT_NE(findings_of(problem).find("no delay ends within the time of the data"), std::string::npos);
  problem.parameters[2].value = 0.005;
  EXPECT_NE(findings_of(problem).find("no step is longer than the shortest delay, 0.005"), std::string::npos);
}

}  // namespace
}  // namespace salvo::fit::delay_tests
