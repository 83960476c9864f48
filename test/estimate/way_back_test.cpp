#include "estimate/ways/way.hpp"
#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

// A decay that is seen over a tenth of its time. Multiple shooting steps from k = 0.3 to 5e-57, where nothing changes.
model::Problem slow_decay(const model::Estimated& k, const std::vector<double>& values) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("A", test::estimated(2)).parameter("k", k).observable("seen", "x", "0.1");
  builder.experiment(model::default_experiment, {std::string("A")});
  for (std::size_t j = 0; j < values.size(); ++j) builder.measure(0, 0, 0.5 * static_cast<double>(j), values[j]);
  return builder.build();
}
const std::vector<double> falling{2.9993, 3.0452, 2.9565, 2.8977, 2.9312, 2.594, 2.5981, 2.476, 2.5457};

bool looked_back(const Estimation& estimation) {
  return std::any_of(estimation.tried.begin(), estimation.tried.end(),
                     [](const TriedWay& tried) { return tried.way == &way_back; });
}

// The minimum is by least squares of A e^(-kt), in two ways.
TEST(WayBack, LeavesAPlateau) {
  for (const model::Estimated& k : {test::estimated(0.3, model::Scale::log), test::estimated(0.3, model::Scale::log10),
                                    test::within(0.3, 1e-12, 1000, model::Scale::log)}) {
    const test::Estimated fit(slow_decay(k, falling));
    EXPECT_TRUE(is_proved(fit.answer()));
    EXPECT_NEAR(fit.value("k"), 0.054069118, 1e-6);
    EXPECT_NEAR(fit.value("A"), 3.0929313522, 1e-5);
    EXPECT_FALSE(is_flat(fit.answer()));
  }
}

TEST(WayBack, IsLookedAlongWithStatedIterationsToo) {
  const Strategy by_nodes_alone{{"a test", {}, {{.way = &nodes}, {.way = &way_back, .tried = Tried::if_flat}}}};
  const test::Estimated fit(slow_decay(test::estimated(0.3, model::Scale::log), falling), {.max_iterations = 100},
                            by_nodes_alone);
  EXPECT_TRUE(looked_back(fit.estimation));
  EXPECT_EQ(fit.answer().way, "way back");
  EXPECT_NEAR(fit.value("k"), 0.054069118, 1e-6);
}

// Nodes used to prove c = 1.2e-12 by themselves, since c alone changes its rows. The minimum, reached from beside it,
// is lower by 0.26 in log-likelihood.
TEST(WayBack, LeavesAPlateauOnWhichNodesHaveConverged) {
  test::Builder builder(test::Equations{{"x", "r*x - c*x^2"}});
  builder.parameter("c", test::within(0.3, 1e-12, 1000, model::Scale::log));
  builder.parameter("r", test::within(0.5, 1e-12, 1000, model::Scale::log)).parameter("A", test::estimated(2));
  builder.observable("seen", "x", "0.1").experiment(model::default_experiment, {std::string("A")});
  const std::vector<double> growing{1.2, 1.28, 1.59, 2.04, 2.08, 2.26, 2.77, 2.99, 3.41, 3.85, 4.57, 4.93};
  for (std::size_t j = 0; j < growing.size(); ++j) builder.measure(0, 0, 0.5 * static_cast<double>(j + 1), growing[j]);
  const test::Estimated fit(builder.build());
  EXPECT_TRUE(is_proved(fit.answer()));
  EXPECT_NEAR(fit.value("c"), 0.00879624, 1e-6);
  EXPECT_NEAR(fit.value("r"), 0.27981787, 1e-6);
}

// The minimum lies lower by 0.0085 in log-likelihood, which is less than two answers can be told apart by; on the
// plateau the trajectory has the least motion. The minimum is by least squares of A e^(-kt) over k.
TEST(WayBack, LeavesAPlateauThatIsNearlyAsLow) {
  const std::vector<double> level{2.97144, 2.87256, 2.91191, 2.90262, 2.83747, 2.90033, 2.83396, 2.88633, 2.97558};
  const test::Estimated fit(slow_decay(test::estimated(0.3, model::Scale::log), level));
  EXPECT_TRUE(is_proved(fit.answer()));
  EXPECT_FALSE(is_flat(fit.answer()));
  EXPECT_NEAR(fit.value("k"), 0.00116564666, 1e-7);
}

// Values that rise have no rate of decay: the plateau is the answer, and is told as flat.
TEST(WayBack, LeavesAFlatAnswerThatIsTheBest) {
  std::vector<double> rising(falling.rbegin(), falling.rend());
  const test::Estimated fit(slow_decay(test::estimated(0.3, model::Scale::log), rising));
  EXPECT_TRUE(is_proved(fit.answer()));
  EXPECT_TRUE(is_flat(fit.answer()));
  EXPECT_LT(fit.value("k"), 1e-6);
  const std::vector<bool> unseen = unseen_quantities(fit.answer(), 1e-3);
  ASSERT_EQ(unseen.size(), 2U);
  EXPECT_FALSE(unseen[0]);
  EXPECT_TRUE(unseen[1]);
}

TEST(WayBack, IsNotLookedAlongWhereTheDataSeeEverything) {
  EXPECT_FALSE(looked_back(test::Estimated(test::seen_decay()).estimation));
}

}  // namespace
}  // namespace salvo::estimate
