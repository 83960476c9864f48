#include "estimate/ways/recombine.hpp"

#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

// Two decays, each with a rate and an initial value of its own, and a common noise: q = (slow, fast, sigma, x_a, x_b).
model::Problem two_decays() {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", 1.0);
  builder.parameter("slow", test::estimated(0.5)).parameter("fast", test::estimated(2));
  builder.parameter("sigma", test::within(0.1, 1e-3, 10, model::Scale::log));
  builder.observable("y", "x", "sigma");
  builder.experiment("a", {test::estimated(1)}, {{0, "slow"}}).experiment("b", {test::estimated(3)}, {{0, "fast"}});
  for (int j = 1; j <= 4; ++j) {
    builder.measure(0, 0, 0.5 * j, std::exp(-0.5 * 0.5 * j));
    builder.measure(1, 0, 0.5 * j, 3 * std::exp(-2 * 0.5 * j));
  }
  return builder.build();
}

struct Ends {
  test::LaidOut laid{two_decays(), {.nodes = model::SingleInterval{}}};
  Setup& setup = laid.setup;
  std::vector<solve::SolveResult> ends{};

  void add(nlp::Point q) {
    solve::SolveResult end;
    EXPECT_TRUE(setup.shooting->linearize(q, {}, end.linearized).ok);
    end.objective = end.linearized.objective;
    end.q = std::move(q);
    ends.push_back(std::move(end));
  }
  double objective(const nlp::Point& q) const {
    nlp::Blocks blocks;
    return setup.shooting->values(q, blocks).ok ? blocks.objective : HUGE_VAL;
  }
};

TEST(Recombine, UnknownsOfTheSameExperimentsBelongTogether) {
  Ends two;
  two.add({0.5, 2, std::log(0.1), 1, 3});
  EXPECT_EQ(groups_that_act_alike(two.setup.shooting->layout(), two.ends),
            (std::vector<std::vector<int>>{{1, 4}, {0, 3}, {2}}));
}

// A rate that has no effect at one point, because nothing is there to decay, has one at another.
TEST(Recombine, AllEndsTellWhatActs) {
  Ends two;
  two.add({0.5, 2, std::log(0.1), 0, 3});
  EXPECT_EQ(groups_that_act_alike(two.setup.shooting->layout(), two.ends).size(), 4U);
  two.add({0.5, 2, std::log(0.1), 1, 3});
  EXPECT_EQ(groups_that_act_alike(two.setup.shooting->layout(), two.ends).size(), 3U);
}

TEST(Recombine, EveryExperimentTakesWhatIsBestForIt) {
  Ends two;
  two.add({0.5, 7, std::log(0.1), 1, 2});  // right for a
  two.add({9, 2, std::log(0.1), 2, 3});    // right for b
  ASSERT_LT(two.ends[0].objective, two.ends[1].objective);
  EXPECT_EQ(recombined(*two.setup.shooting, two.ends, {}), (nlp::Point{0.5, 2, std::log(0.1), 1, 3}));
}

TEST(Recombine, TheBestEndStaysWhereNothingIsBetter) {
  Ends two;
  two.add({0.5, 2, std::log(0.1), 1, 3});
  two.add({9, 7, std::log(0.1), 2, 2});
  EXPECT_EQ(recombined(*two.setup.shooting, two.ends, {}), two.ends[0].q);
}

TEST(Recombine, NeverEndsAboveTheBestEnd) {
  Ends two;
  two.add({0.4, 1.5, std::log(0.2), 0.9, 2.5});
  two.add({0.6, 2.5, std::log(0.3), 1.2, 2.9});
  std::stable_sort(two.ends.begin(), two.ends.end(),
                   [](const auto& a, const auto& b) { return a.objective < b.objective; });
  EXPECT_LE(two.objective(recombined(*two.setup.shooting, two.ends, {})), two.ends[0].objective);
}

}  // namespace
}  // namespace salvo::estimate
