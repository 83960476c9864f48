#include "model/on_cells.hpp"

#include <gtest/gtest.h>

#include "helpers/field_problems.hpp"

namespace salvo::model {
namespace {

// An experiment that flows faster than the others decides what cells are small enough for.
TEST(OnCells, ThePecletNumberIsTheLargestOfAllExperiments) {
  test::FieldBuilder builder({.from = 0, .to = 1, .cells = 100});
  builder.parameter("v", 1.0).parameter("D", test::within(0.1, 0, 1));
  builder.field({"u", "D*dxx(u) - v*dx(u)", "0"});
  Experiment fast = builder.problem().experiments[0];
  fast.id = "fast";
  fast.overrides.emplace_back(0, builder.problem().graph.constant(50));
  EXPECT_NEAR(largest_peclet(builder.build()), 0.1, 1e-12);
  EXPECT_TRUE(is_central(builder.build()));
  builder.problem().experiments.push_back(fast);
  EXPECT_NEAR(largest_peclet(builder.build()), 5, 1e-12);
  EXPECT_FALSE(is_central(builder.build()));
}

}  // namespace
}  // namespace salvo::model
