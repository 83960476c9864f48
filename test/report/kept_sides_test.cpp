#include "report/kept_sides.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo::report {
namespace {

fit::FinishedSide side(const std::string& id) {
  return {.id = id, .direction = -1, .end = "level", .level = 0.95, .points = {{0.1, 2, -HUGE_VAL, {1, 2}}}};
}

const std::vector<double> optimum{1.0 / 3, HUGE_VAL};

TEST(KeptSides, AreReadAsTheyWereWritten) {
  const std::string text = side_line("run", side("a"), optimum) + side_line("run", side("b"), optimum);
  const KeptSides kept = read_sides(text, "run");
  ASSERT_EQ(kept.sides.size(), 2U);
  EXPECT_EQ(kept.optimum, optimum);
  EXPECT_EQ(kept.sides[1].id, "b");
  EXPECT_EQ(kept.sides[0].points[0].value, 0.1);
  EXPECT_EQ(kept.sides[0].points[0].slope, -HUGE_VAL);
  EXPECT_EQ(kept.sides[0].points[0].q, (std::vector<double>{1, 2}));
  EXPECT_EQ(kept.lines, text);
}

// Whatever is cut off or changed costs its own line and no other.
TEST(KeptSides, AreBelievedOnlyIfTheyAreWhole) {
  const std::string first = side_line("run", side("a"), optimum);
  const std::string second = side_line("run", side("b"), optimum);
  for (std::size_t end = 1; end < first.size(); ++end) {
    const KeptSides kept = read_sides(first.substr(0, end) + "\n" + second, "run");
    ASSERT_EQ(kept.sides.size(), 1U + (end + 1 == first.size())) << end;
    ASSERT_EQ(kept.sides.back().id, "b");
  }
  for (std::size_t at = 0; at + 1 < first.size(); ++at) {
    std::string changed = first;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    ASSERT_EQ(read_sides(changed + second, "run").sides.size(), 1U) << at;
  }
}

TEST(KeptSides, BelongToOneRunAndOneOptimum) {
  const std::string other = side_line("another", side("a"), optimum);
  const KeptSides kept = read_sides(other + side_line("run", side("b"), {1}) + side_line("run", side("c"), {2}), "run");
  EXPECT_EQ(kept.of_other_runs, 1);
  EXPECT_EQ(kept.damaged, 0);
  ASSERT_EQ(kept.sides.size(), 1U);
  EXPECT_EQ(kept.sides[0].id, "c") << "of the better optimum";
}

}  // namespace
}  // namespace salvo::report
