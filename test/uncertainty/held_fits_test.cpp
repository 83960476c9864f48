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

// With s0 held at 20 a descent from V = 0.5 stalls beside such a place. That is not the best fit with that s0: from
// V = 1 it comes to a likelihood of one.
TEST(HeldFits, ThatStallAreNeverTakenForSolved) {
  const model::Problem problem = nothing_left();
  const estimate::Estimation answer = estimate::estimate(problem, {}, {});
  const RunContext context;
  const HeldFits fits(*answer.workspace, answer.best, context);
  for (const double V : {0.5, 1.0}) {
    const statistics::HeldPoint held = fits.with_held(1, 20, {V, 20});
    EXPECT_TRUE(held.point || !held.trouble.empty());
    EXPECT_NEAR(held.point ? held.point->objective : 0, 0, 1e-9);
  }
}

// x falls at the given rate; y follows it 100,000 times as fast, or as slowly.
model::Problem followed_by(const std::string& speed) {
  const formats::Folder folder({{"problem.yaml", "equations: {x: -k*x, y: " + speed +
                                                     "*(x - y)}\ninitial: {x: 2, y: 2}\nparameters: {k: {guess: 0.4}}\n"
                                                     "observables: {seen: {formula: y, noise: 0.1}}\ndata: data.csv\n"},
                                {"data.csv", "time,seen\n2,1.0\n4,0.55\n8,0.2\n16,0.01\n"}});
  return *formats::read_problem(folder / "problem.yaml");
}

// A search may end with stiff steps because it met stiff equations on its way. Fits around the answer take them only
// where the answer asks for them.
TEST(HeldFits, TakeStiffStepsWhereTheAnswerIsStiff) {
  for (const bool is_stiff : {false, true}) {
    const model::Problem problem = followed_by(is_stiff ? "100000" : "1");
    estimate::Estimation answer = estimate::estimate(problem, {}, {});
    answer.best.answer.run.request.stiff = true;
    const RunContext context;
    EXPECT_EQ(HeldFits(*answer.workspace, answer.best, context).optimum().request.stiff, is_stiff);
  }
}

}  // namespace
}  // namespace salvo::uncertainty
