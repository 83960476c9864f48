#include "uncertainty/profiles/held_fits.hpp"

#include "estimate/estimate.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::uncertainty {
namespace {

// Counts that are all zero want a substrate that is used up, and one that is used up cannot be told from none: there
// counts have no likelihood.
model::Problem nothing_left() {
  const formats::Folder folder(
      {{"problem.yaml",
        "equations: {s: -V*s/(0.02 + s)}\ninitial: {s: s0}\nparameters:\n  V: {guess: 1.5}\n"
        "  s0: {guess: 4, bounds: [0.04, 50]}\nobservables: {seen: {formula: 30*s, distribution: poisson}}\n"
        "data: data.csv\n"},
       {"data.csv", "time,seen\n8,0\n10,0\n14,0\n"}});
  return *formats::read_problem(folder / "problem.yaml");
}

// With s0 held at 20 a descent from V = 0.5 stalls beside such a place, which is not the best fit with that s0. With 5
// it comes to a likelihood of one.
TEST(HeldFits, ThatStallAreNotSolved) {
  const model::Problem problem = nothing_left();
  const estimate::Estimation answer = estimate::estimate(problem, {}, {});
  const RunContext context;
  const HeldFits fits(*answer.workspace, answer.best, context);
  const statistics::HeldPoint stalled = fits.with_held(1, 20, {0.5, 20});
  EXPECT_FALSE(stalled.point.has_value()) << stalled.point->objective;
  EXPECT_FALSE(stalled.trouble.empty());
  const statistics::HeldPoint solved = fits.with_held(1, 5, {1, 5});
  ASSERT_TRUE(solved.point.has_value()) << solved.trouble;
  EXPECT_NEAR(solved.point->objective, 0, 1e-9);
}

}  // namespace
}  // namespace salvo::uncertainty
