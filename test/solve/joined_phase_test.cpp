#include "solve/method/joined_phase.hpp"

#include <gtest/gtest.h>

#include "decay_chain.hpp"
#include "helpers/blocks.hpp"
#include "solve/method/penalty_phase.hpp"

namespace salvo::solve {
namespace {

TEST(ForeseenGain, IsTheFallOfTheQuadraticModel) {
  const test::BlockProblem problem = test::random_blocks(81, 3, 2, {{.links = 4}, {.links = 2}}, 2);
  const test::Dense full = test::dense(problem);
  std::vector<double> delta(problem.layout.unknowns);
  for (std::size_t i = 0; i < delta.size(); ++i) delta[i] = std::sin(1.0 + static_cast<double>(i));
  const test::LongVector step =
      Eigen::Map<const Eigen::VectorXd>(delta.data(), static_cast<Eigen::Index>(delta.size())).cast<long double>();
  const test::LongVector after = full.r + full.J * step;
  EXPECT_NEAR(foreseen_gain(problem.layout, problem.blocks, delta),
              static_cast<double>(0.5L * (full.r.squaredNorm() - after.squaredNorm())), 1e-10);
}

// From a joined trajectory with the wrong rate: every step lowers the objective and keeps it joined.
TEST(JoinedPhase, GoesDownAlongJoinedTrajectories) {
  const test::DecayChain problem({2.1, 1.4, 0.7, 0.55, 0.2, 0.25});
  nlp::Point q{0.1, 2.0};
  while (q.size() < 7) q.push_back(q.back() * std::exp(-q[0]));
  constexpr double widest_gap = 1e-4;
  const DampingRules rules;
  JoinedPhase phase(rules, widest_gap);
  nlp::Blocks blocks, trial;
  ASSERT_TRUE(problem.linearize(q, blocks).ok);
  for (int k = 0; k < 200; ++k) {
    const JoinedPhase::Outcome outcome = phase.step(problem, {}, q, blocks, problem.sizes(q), {}, trial);
    if (!outcome.accepted) break;
    const double before = blocks.objective;
    q = outcome.q;
    ASSERT_TRUE(problem.linearize(q, blocks).ok);
    EXPECT_LT(blocks.objective, before);
    EXPECT_LE(blocks.gap, widest_gap);
  }
  EXPECT_NEAR(q[0], problem.best_theta(0, 2), 1e-3);
}

// The elimination of thousands of nodes takes seconds: none is begun once the run is to stop.
TEST(PenaltyPhase, TakesNoStepOnceTheRunIsToStop) {
  const test::DecayChain problem({2.1, 1.4, 0.7, 0.55, 0.2, 0.25});
  nlp::Point q{0.1, 2.0};
  while (q.size() < 7) q.push_back(1.0);
  nlp::Blocks blocks, trial;
  ASSERT_TRUE(problem.linearize(q, blocks).ok);
  const Rules rules;
  const RunContext stopped{.interrupted = [] { return true; }};
  EXPECT_TRUE(PenaltyPhase(rules).step(problem, {}, q, blocks, problem.sizes(q), {}, trial).accepted);
  EXPECT_FALSE(PenaltyPhase(rules).step(problem, {}, q, blocks, problem.sizes(q), stopped, trial).accepted);
  EXPECT_FALSE(JoinedPhase(rules.damping, 1).step(problem, {}, q, blocks, problem.sizes(q), stopped, trial).accepted);
}

}  // namespace
}  // namespace salvo::solve
