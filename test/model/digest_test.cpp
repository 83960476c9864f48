#include "model/digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/problems.hpp"

namespace salvo::model {
namespace {

Problem decay(const std::string& rate = "-k*x") {
  test::Builder builder(test::Equations{{"x", rate}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x", "0.1").experiment("one", {std::string("1")});
  builder.measure(0, 0, 1, 0.5).measure(0, 0, 2, 0.25);
  return builder.build();
}

TEST(Digest, OfDataIsTheSameInAnyOrder) {
  Problem turned = decay();
  std::reverse(turned.measurements.begin(), turned.measurements.end());
  EXPECT_EQ(data_digest(turned), data_digest(decay()));
}

TEST(Digest, OfDataChangesWithEachPartOfAMeasurement) {
  const std::string as_it_was = data_digest(decay());
  const auto changed = [](auto change) {
    Problem problem = decay();
    change(problem);
    return data_digest(problem);
  };
  EXPECT_NE(changed([](Problem& p) { p.measurements[0].value = 0.51; }), as_it_was);
  EXPECT_NE(changed([](Problem& p) { p.measurements[0].time = 1.5; }), as_it_was);
  EXPECT_NE(changed([](Problem& p) { p.measurements[0].sigma = 0.2; }), as_it_was);
  EXPECT_NE(changed([](Problem& p) { p.measurements[0].censored = Censored::below; }), as_it_was);
  EXPECT_NE(changed([](Problem& p) { p.measurements.pop_back(); }), as_it_was);
  EXPECT_NE(changed([](Problem& p) { p.observables[0].id = "other"; }), as_it_was);
  EXPECT_NE(changed([](Problem& p) { p.experiments[0].id = "other"; }), as_it_was);
}

TEST(Digest, OfAModelIsTheSameWhateverIsEstimated) {
  Problem held = decay();
  held.parameters[0].value = 2.0;
  EXPECT_EQ(model_digest(held), model_digest(decay()));
  EXPECT_EQ(data_digest(held), data_digest(decay()));
}

TEST(Digest, OfAModelChangesWithItsFormulas) {
  EXPECT_NE(model_digest(decay("-k*x^2")), model_digest(decay()));
  Problem other_noise = decay();
  other_noise.observables[0].noise = other_noise.graph.constant(0.2);
  EXPECT_NE(model_digest(other_noise), model_digest(decay()));
  Problem other_law = decay();
  other_law.observables[0].distribution = Distribution::log_normal;
  EXPECT_NE(model_digest(other_law), model_digest(decay()));
  Problem set = decay();
  set.experiments[0].overrides.emplace_back(0, set.graph.constant(3));
  EXPECT_NE(model_digest(set), model_digest(decay()));
}

// Written out, this formula would have 2^200 factors.
TEST(Digest, OfAModelTakesAsLongAsItsFormulasAreShared) {
  Problem problem = decay();
  NodeId node = problem.states[0].derivative;
  for (int n = 0; n < 200; ++n)
    node = problem.graph.add(problem.graph.multiply(node, node), problem.parameters[0].symbol);
  problem.states[0].derivative = node;
  EXPECT_EQ(model_digest(problem).size(), 64u);
}

TEST(Digest, OfAModelDoesNotDependOnTheOrderOfTerms) {
  EXPECT_EQ(model_digest(decay("1 - k*x + x")), model_digest(decay("x + (1 - x*k)")));
}

}  // namespace
}  // namespace salvo::model
