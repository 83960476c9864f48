#include "nlp/constraints.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "compile/compiled_model.hpp"
#include "helpers/differences.hpp"
#include "helpers/problems.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {
namespace {

// Two states, two experiments with a dose of their own, scales, known and free initial values.
model::Problem problem_with_constraints() {
  test::Builder builder({{"x", "-k*x + dose"}, {"y", "k*x - m*y"}});
  builder.parameter("k", test::estimated(0.6, model::Scale::log)).parameter("m", test::estimated(1.2));
  builder.parameter("dose", 0.0).observable("oy", "y", "0.1");
  builder.experiment("low", {test::estimated(1.4), test::estimated(0.3)}, {{2, "0.5*m"}});
  builder.experiment("high", {"m + 1", test::estimated(0.2, model::Scale::log)}, {{2, "2"}});
  for (int t = 1; t <= 3; ++t) builder.measure(0, 0, t, 0.5).measure(1, 0, t, 0.9);
  builder.constraint("k*m", "<=", "2");                       // once
  builder.constraint("initial_y^2", "==", "k*initial_x");     // in each experiment
  builder.constraint("x*y + dose", ">=", "k - initial_y*x");  // at every node
  return builder.build();
}

ShootingProblem lay_out(const model::Problem& problem) {
  return {problem, compile::compile(problem), make_grids(problem, model::NodesAtMeasurements{}), {}};
}

nlp::Blocks constrained_blocks(const ShootingProblem& shooting, const nlp::Point& q) {
  nlp::Blocks blocks;
  EXPECT_TRUE(shooting.values(q, blocks).ok);
  return blocks;
}

nlp::Point generic_point(const nlp::Layout& layout) {
  nlp::Point q;
  for (int i = 0; i < layout.unknowns; ++i) q.push_back(0.5 + 0.37 * std::sin(1.0 + 2.1 * i));
  return q;
}

TEST(ShootingConstraints, StandWhereTheyHold) {
  const model::Problem problem = problem_with_constraints();
  const ShootingProblem shooting = lay_out(problem);
  const nlp::Blocks blocks = constrained_blocks(shooting, generic_point(shooting.layout()));
  EXPECT_EQ(blocks.constraints.c.size(), 3u);
  EXPECT_EQ(blocks.constraints.equality, (std::vector<bool>{false, true, true}));
  for (const auto& chain : blocks.chains) {
    ASSERT_EQ(chain.constraints.size(), 4u);
    for (const auto& constraints : chain.constraints) EXPECT_EQ(constraints.c.size(), 1u);
  }
  EXPECT_EQ(shooting.constraint_rows().size(), 11u);
  // Every initial value named in a constraint that is not known stands in theta.
  EXPECT_EQ(shooting.layout().thetas, 5);
}

TEST(ShootingConstraints, HaveTheDerivativesOfTheirValues) {
  const model::Problem problem = problem_with_constraints();
  const ShootingProblem shooting = lay_out(problem);
  const nlp::Layout& layout = shooting.layout();
  const nlp::Point q = generic_point(layout);
  const nlp::Blocks blocks = constrained_blocks(shooting, q);
  nlp::each_constraints(blocks, [&](int chain, int block, const nlp::Constraints& constraints) {
    for (int i = 0; i < static_cast<int>(constraints.c.size()); ++i) {
      const auto value = [&](const nlp::Point& at) {
        const nlp::Blocks there = constrained_blocks(shooting, at);
        return (chain < 0 ? there.constraints : there.chains[chain].constraints[block]).c[i];
      };
      for (int k = 0; k < layout.unknowns; ++k) {
        double exact = k < layout.thetas ? constraints.by_theta(i, k) : 0;
        const int inside = chain < 0 ? -1 : k - layout.chains[chain].offset[block];
        if (inside >= 0 && inside < layout.chains[chain].size[block]) exact = constraints.by_block(i, inside);
        EXPECT_NEAR(exact, test::partial(value, q, k), 1e-8) << chain << " " << block << " " << k;
      }
    }
  });
}

TEST(ShootingConstraints, AreViolatedByTheRelativeChangeTheyAskFor) {
  test::Builder builder = test::decay(test::estimated(4), test::estimated(1));
  const model::Problem problem = builder.measure(0, 0, 1, 1).constraint("3*k", "<=", "9").build();
  const ShootingProblem shooting = lay_out(problem);
  EXPECT_NEAR(constrained_blocks(shooting, {4, 1, 1}).violation, 0.25, 1e-14);  // k = 4 should be 3
  EXPECT_EQ(constrained_blocks(shooting, {3, 1, 1}).violation, 0);
}

}  // namespace
}  // namespace salvo::shooting
