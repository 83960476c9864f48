#include <gtest/gtest.h>

#include <cmath>

#include "solve/accept/armijo.hpp"
#include "solve/accept/damping.hpp"
#include "solve/accept/filter.hpp"
#include "solve/accept/radius.hpp"
#include "solve/accept/verdict.hpp"
#include "solve/result.hpp"
#include "solve/rules.hpp"

namespace salvo::solve {
namespace {

const Rules rules;

TEST(Damping, FallsAfterAGoodGainAndGrowsAfterAPoorOne) {
  EXPECT_EQ(damping_after(1, 0.9, rules), 0.2);
  EXPECT_EQ(damping_after(1, 0.5, rules), 1);
  EXPECT_EQ(damping_after(1, 0.1, rules), 4);
  EXPECT_EQ(damping_after(1, NAN, rules), 4);
  EXPECT_EQ(damping_after(1e-8, 0.9, rules), 1e-8);
}

TEST(Gain, IsAcceptableAboveAPartOfWhatWasPredicted) {
  EXPECT_TRUE(is_acceptable(1e-3, rules.trust));
  EXPECT_FALSE(is_acceptable(1e-5, rules.trust));
  EXPECT_FALSE(is_acceptable(-1, rules.trust));
  EXPECT_FALSE(is_acceptable(NAN, rules.trust));
}

TEST(Radius, ShrinksBelowTheStepThatFailedAndDoublesUpToItsLimit) {
  EXPECT_EQ(radius_after(2, -1, 1, true, rules), 0.25);
  EXPECT_EQ(radius_after(2, -1, 3, true, rules), 0.5);
  EXPECT_EQ(radius_after(2, 0.5, 2, true, rules), 2);
  EXPECT_EQ(radius_after(1, 0.9, 1, true, rules), 2);
  EXPECT_EQ(radius_after(1, 0.9, 0.1, false, rules), 1);
  EXPECT_EQ(radius_after(3, 0.9, 3, true, rules), 4);
  EXPECT_EQ(euclidean({3, 4}), 5);
}

TEST(Filter, RefusesWhatIsWorseThanAPointThatWasPassedInGapAndObjective) {
  const std::vector<Passed> passed{{1, 10}, {0.1, 20}};
  EXPECT_TRUE(passes_filter(passed, {0.5, 15}, 0.01));
  EXPECT_TRUE(passes_filter(passed, {2, 9}, 0.01));
  EXPECT_FALSE(passes_filter(passed, {1, 10}, 0.01));
  EXPECT_FALSE(passes_filter(passed, {0.0995, 30}, 0.01));
  EXPECT_TRUE(passes_filter(passed, {0.098, 30}, 0.01));
  EXPECT_TRUE(passes_filter({}, {1e9, 1e9}, 0.01));
}

TEST(Armijo, AsksForAPartOfThePredictedFallAndForNoRise) {
  EXPECT_TRUE(falls_enough(1, 0.9, -1, 1e-4));
  EXPECT_FALSE(falls_enough(1, 1 - 1e-5, -1, 1e-4));
  EXPECT_TRUE(falls_enough(1, 1, 1, 1e-4));
  EXPECT_FALSE(falls_enough(1, 1.1, 1, 1e-4));
}

// Calls itself for structs in structs.
struct CountNumbers {
  int& count;
  template <class T>
  void operator()(std::string_view name, T& value) const {
    EXPECT_FALSE(name.empty());
    if constexpr (std::is_arithmetic_v<T>)
      ++count;
    else
      T::each(value, *this);
  }
};

TEST(Rules, CanBeWalkedAndVaried) {
  Rules all;
  int count = 0;
  Rules::each(all, CountNumbers{count});
  EXPECT_EQ(count, 53);
  Rules::each(all, [](std::string_view name, auto& part) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(part)>, TrustRules>)
      if (name == "trust") part.contraction = 0.5;
  });
  EXPECT_EQ(all.trust.contraction, 0.5);
}

TEST(Result, IsStalledWhereItEndedByItselfAtNoMinimum) {
  const GapRules gaps;
  EXPECT_TRUE(is_stalled({.ended = Ended::no_step}, gaps));
  EXPECT_TRUE(is_stalled({.ended = Ended::tolerance}, gaps));
  EXPECT_FALSE(is_stalled({.ended = Ended::tolerance, .claims_minimum = true}, gaps));
  EXPECT_FALSE(is_stalled({.ended = Ended::no_step, .gap = 2 * gaps.joined}, gaps));
  EXPECT_FALSE(is_stalled({.ended = Ended::iterations}, gaps));
  EXPECT_FALSE(is_stalled({.ended = Ended::not_computable}, gaps));
}

TEST(DistancesOfProbes, AreAGeometricSequenceUpToOneUnit) {
  const CertificateRules rules;
  const std::vector<double> all = rules.distances();
  ASSERT_EQ(all.size(), 9u);
  EXPECT_EQ(all.front(), 1e-4);
  EXPECT_NEAR(all.back(), 1, 1e-12);
  EXPECT_EQ(rules.longest_distances(), std::vector<double>(all.end() - 3, all.end()));
}

}  // namespace
}  // namespace salvo::solve
