#include "compile/elimination_plan.hpp"

#include <gtest/gtest.h>

namespace salvo::compile {
namespace {

Pattern full(int states) {
  Pattern all;
  for (int i = 0; i < states; ++i)
    for (int j = 0; j < states; ++j) all.row.push_back(i), all.column.push_back(j);
  return all;
}

// Where all cost the same, rates before the algebraic variable would grow by the largest of them.
TEST(EliminationPlan, BeginsWithAlgebraicVariablesOfTheirOwnEquations) {
  EXPECT_EQ(plan_elimination(full(3), 3, {}).order.front(), 0);
  EXPECT_EQ(plan_elimination(full(3), 3, {2}).order.front(), 2);
}

TEST(EliminationPlan, DoesNotBeginWithAPivotThatIsZero) {
  Pattern without = full(3);
  without.row.pop_back();
  without.column.pop_back();  // the equation of the last one does not contain it
  EXPECT_EQ(plan_elimination(without, 3, {2}).order.front(), 0);
}

}  // namespace
}  // namespace salvo::compile
