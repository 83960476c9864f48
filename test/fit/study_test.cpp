#include <atomic>

#include "fits.hpp"

namespace salvo::fit {
namespace {

StudyResult predator_prey_study(int replicates, int threads, std::uint64_t seed = 1) {
  return study(
      test::predator_prey(),
      {.fit = {.threads = threads, .seed = seed}, .replicates = replicates, .truth = test::predator_prey_truth}, {});
}

// The Cramer-Rao bound at p = 1, x(0) = (0.4, 1) was computed independently.
TEST(Study, AttainsTheCramerRaoBound) {
  const StudyResult result = predator_prey_study(60, 1);
  ASSERT_TRUE(result.ok) << result.message;
  EXPECT_EQ(result.replicates, 60);
  EXPECT_EQ(result.converged, 60);
  ASSERT_EQ(result.quantities.size(), 6u);
  const double expected[4] = {0.0448, 0.0410, 0.0441, 0.0405};
  for (int k = 0; k < 4; ++k) {
    const StudyQuantity& quantity = result.quantities[k];
    EXPECT_EQ(quantity.truth, 1);
    EXPECT_NEAR(quantity.expected_sd, expected[k], 1e-4) << quantity.id;
    EXPECT_NEAR(quantity.sd, quantity.expected_sd, 0.3 * quantity.expected_sd) << quantity.id;
    EXPECT_NEAR(quantity.mean, 1, 4 * quantity.expected_sd / std::sqrt(60.0)) << quantity.id;
    EXPECT_GE(quantity.coverage95, 0.85) << quantity.id;
  }
}

TEST(Study, GivesTheSameBitsOnOneAndTwoThreads) {
  const StudyResult one = predator_prey_study(6, 1);
  const StudyResult two = predator_prey_study(6, 2);
  const StudyResult other_seed = predator_prey_study(6, 1, 2);
  for (std::size_t k = 0; k < one.quantities.size(); ++k) {
    EXPECT_EQ(one.quantities[k].mean, two.quantities[k].mean);
    EXPECT_EQ(one.quantities[k].sd, two.quantities[k].sd);
    EXPECT_NE(one.quantities[k].mean, other_seed.quantities[k].mean);
  }
}

TEST(Study, SaysThatNothingCanBeDrawnAtATruthThatFails) {
  const StudyResult result = study(test::predator_prey(), {.replicates = 3}, {});  // the guesses run into a pole
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.message.find("t = 3.306"), std::string::npos) << result.message;
}

TEST(Study, StopsWhenAsked) {
  const StudyResult result = study(test::predator_prey(), {.replicates = 50, .truth = test::predator_prey_truth},
                                   {.interrupted = [] { return true; }});
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.replicates, 0);
}

TEST(Study, OfNoReplicatesSaysNothing) {
  std::atomic<int> asked = 0;
  const StudyResult result = study(test::predator_prey(), {.replicates = 50, .truth = test::predator_prey_truth},
                                   {.interrupted = [&] { return ++asked > 1; }});
  EXPECT_EQ(result.replicates, 0);
  EXPECT_FALSE(result.ok);
  EXPECT_FALSE(result.message.empty());
  for (const StudyQuantity& quantity : result.quantities) {
    EXPECT_TRUE(std::isnan(quantity.mean)) << quantity.id;
    EXPECT_TRUE(std::isnan(quantity.sd)) << quantity.id;
    EXPECT_TRUE(std::isnan(quantity.coverage95)) << quantity.id;
  }
}

TEST(Study, OfOneReplicateHasNoSpread) {
  const StudyResult result = study(test::predator_prey(), {.replicates = 1, .truth = test::predator_prey_truth}, {});
  EXPECT_TRUE(result.ok);
  ASSERT_FALSE(result.quantities.empty());
  EXPECT_TRUE(std::isfinite(result.quantities[0].mean));
  EXPECT_TRUE(std::isnan(result.quantities[0].sd));
}

}  // namespace
}  // namespace salvo::fit
