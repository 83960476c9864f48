#include "fit/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo::fit {
namespace {

// n = 20; AIC = 2k - 2 llh, BIC = k ln n - 2 llh.
ComparedFit fit_of(const std::string& name, double llh, const std::set<std::string>& estimated,
                   const std::map<std::string, double>& fixed = {}) {
  const double k = static_cast<double>(estimated.size());
  const double aic = 2 * k - 2 * llh;
  return {.name = name,
          .converged = true,
          .data = "d",
          .model = "m",
          .measurements = 20,
          .llh = llh,
          .aic = aic,
          .aicc = aic + 2 * k * (k + 1) / (20 - k - 1),
          .bic = k * std::log(20) - 2 * llh,
          .estimated = estimated,
          .fixed = fixed};
}

TEST(Compare, RanksByAiccWithWeights) {
  const auto comparison = compare({fit_of("large", -10, {":a", ":b", ":c"}), fit_of("small", -10.5, {":a"})}, false);
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->rows.size(), 2u);
  EXPECT_EQ(comparison->rows[0].fit.name, "small");
  EXPECT_NEAR(comparison->rows[0].fit.k(), 1, 1e-12);
  // By hand: 26 + 24/16 = 27.5 against 23 + 4/18.
  const double delta = 27.5 - (23 + 4.0 / 18);
  EXPECT_NEAR(*comparison->rows[1].aicc.delta, delta, 1e-12);
  EXPECT_NEAR(*comparison->rows[1].aicc.weight, std::exp(-delta / 2) / (1 + std::exp(-delta / 2)), 1e-12);
  EXPECT_NEAR(*comparison->rows[0].aic.weight + *comparison->rows[1].aic.weight, 1, 1e-12);
}

// P(chi2 with 1 degree > 3.841459) = 0.05.
TEST(Compare, TestsTheRatioWhereOneModelHoldsWhatTheOtherEstimates) {
  const auto large = fit_of("large", -10, {":a", ":b"});
  const auto small = fit_of("small", -10 - 0.5 * 3.841458820694124, {":a"}, {{"b", 1}});
  const auto comparison = compare({large, small}, false);
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->ratios.size(), 1u);
  EXPECT_EQ(comparison->ratios[0].smaller, "small");
  EXPECT_EQ(comparison->ratios[0].degrees_of_freedom, 1);
  EXPECT_NEAR(comparison->ratios[0].p_value, 0.05, 1e-9);
}

TEST(Compare, TestsNoRatioOfModelsThatAreNotKnownToBeNested) {
  const auto large = fit_of("large", -10, {":a", ":b"}, {{"c", 2}});
  auto other_model = fit_of("other", -11, {":a"}, {{"b", 1}, {"c", 2}});
  other_model.model = "another";
  const auto other_constant = fit_of("constant", -11, {":a"}, {{"b", 1}, {"c", 3}});
  const auto other_name = fit_of("name", -11, {":d"}, {{"b", 1}, {"c", 2}});
  for (const ComparedFit& other : {other_model, other_constant, other_name}) {
    EXPECT_TRUE(compare({large, other}, false)->ratios.empty()) << other.name;
    EXPECT_EQ(compare({large, other}, true)->ratios.size(), 1u) << other.name;  // the user says so
  }
}

TEST(Compare, RefusesFitsToDifferentData) {
  auto other = fit_of("other", -11, {":a"});
  other.data = "e";
  const auto comparison = compare({fit_of("one", -10, {":a"}), other}, false);
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.issues().at(0).message, "one and other are not fits to the same data");
}

TEST(Compare, SaysWhatCastsDoubt) {
  auto stuck = fit_of("large", -12, {":a", ":b"});
  stuck.converged = false;
  const auto comparison = compare({stuck, fit_of("small", -11, {":a"}, {{"b", 1}})}, false);
  ASSERT_EQ(comparison->remarks.size(), 2u);
  EXPECT_NE(comparison->remarks[0].find("large has not converged"), std::string::npos);
  EXPECT_NE(comparison->remarks[1].find("large fits worse than small"), std::string::npos);
  const auto close = compare({fit_of("one", -10, {":a"}), fit_of("two", -10.2, {":b"})}, false);
  EXPECT_NE(close->sentence.find("the data hardly tell them apart"), std::string::npos);
}

}  // namespace
}  // namespace salvo::fit
