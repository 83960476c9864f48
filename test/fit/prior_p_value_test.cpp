#include "base/distributions.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

// Residuals that priors have a part in: p-values in closed form.
namespace salvo::fit {
namespace {

FitResult with_prior(const std::string& prior, const std::string& values) {
  std::string csv = "time,o\n";
  for (std::size_t k = 0, t = 0; k < values.size(); ++t) {
    const std::size_t end = std::min(values.find(' ', k), values.size());
    csv += std::to_string(t) + "," + values.substr(k, end - k) + "\n";
    k = end + 1;
  }
  const formats::Folder folder(
      {{"problem.yaml", "equations: {x: 0}\ninitial: {x: 1}\nparameters: {a: {guess: 1, prior: \"" + prior +
                            "\"}}\nobservables: {o: {formula: a*x, noise: 0.03}}\ndata: data.csv\n"},
       {"data.csv", csv}});
  return test::fit_of(*formats::read_problem(folder / "problem.yaml"));
}

// y ~ N(1, 1 + 0.03^2) under prior and noise, and the residual says no more than y.
TEST(PValueWithPriors, OfOneDatumIsThatOfItsDistanceFromThePrior) {
  for (const double y : {1.05, 2.0, 4.0}) {
    const FitResult result = with_prior("normal(1, 1)", std::to_string(y));
    ASSERT_TRUE(result.p_value);
    EXPECT_NEAR(*result.p_value, 2 * normal_cdf(-(y - 1) / std::sqrt(1.0009)), 1e-6);
  }
}

// A vague prior takes no degree of freedom from five data: chi-squared with four.
TEST(PValueWithPriors, IsTheUsualOneWhereThePriorIsVague) {
  const FitResult result = with_prior("normal(1, 10)", "2.03 1.98 2.05 2.01 1.97");
  ASSERT_TRUE(result.p_value);
  EXPECT_NEAR(*result.p_value, chi_squared_survival(result.chi2, 4), 1e-4);
}

TEST(PValueWithPriors, IsMissingWhereItsLawIsNotKnown) {
  EXPECT_FALSE(with_prior("cauchy(1, 1)", "2").p_value);
  EXPECT_TRUE(with_prior("cauchy(1, 1)", "2.03 1.98 2.05 2.01 1.97").p_value);
}

}  // namespace
}  // namespace salvo::fit
