#include "solve/method/nodes_phases.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "decay_chain.hpp"
#include "helpers/blocks.hpp"
#include "solve/method/gauss_newton.hpp"
#include "solve/method/loop.hpp"
#include "solve/step/predicted_gain.hpp"

namespace salvo::solve {
namespace {

TEST(PredictedGain, IsTheFallOfTheQuadraticModel) {
  const test::BlockProblem problem = test::random_blocks(81, 3, 2, {{.links = 4}, {.links = 2}}, 2);
  const test::Dense full = test::dense(problem);
  std::vector<double> delta(problem.layout.unknowns);
  for (std::size_t i = 0; i < delta.size(); ++i) delta[i] = std::sin(1.0 + static_cast<double>(i));
  const test::LongVector step =
      Eigen::Map<const Eigen::VectorXd>(delta.data(), static_cast<Eigen::Index>(delta.size())).cast<long double>();
  const test::LongVector after = full.r + full.J * step;
  EXPECT_NEAR(predicted_gain(problem.layout, problem.blocks, delta),
              static_cast<double>(0.5L * (full.r.squaredNorm() - after.squaredNorm())), 1e-10);
}

// One pass of the loop, without those who watch it.
Verdict pass(Nodes& work, State& state) {
  const Phase<Nodes>& phase = gauss_newton_table().at(state.phase);
  const Proposal proposal = phase.propose(work, state);
  Trial trial;
  Verdict verdict;
  if (!proposal.leave) {
    trial = work.evaluate(state, proposal);
    verdict = phase.judge(work, state, proposal, trial);
    if (verdict.accepted && !verdict.ending && !trial.has_derivatives && is_linearised_after(proposal))
      verdict = work.differentiate(state, trial, verdict);
  }
  advance(phase, work, proposal, trial, verdict, state);
  return verdict;
}

using test::noisy;

State begun(Nodes& work, nlp::Point q) {
  State state{.point = std::move(q)};
  state.damping = state.damping_joined = 0.1;
  state.penalty = 1;
  EXPECT_TRUE(pass(work, state).accepted);
  EXPECT_EQ(state.phase, PhaseName::full);
  return state;
}

// From a joined trajectory with the wrong rate: every step lowers the objective and keeps it joined.
TEST(DampedPhase, GoesDownAlongJoinedTrajectories) {
  const test::DecayChain problem(noisy);
  nlp::Point q{0.1, 2.0};
  while (q.size() < 7) q.push_back(q.back() * std::exp(-q[0]));
  const SolveOptions options;
  const RunContext context;
  Nodes work({problem, options, context}, {});
  State state = begun(work, q);
  for (int k = 0; k < 400; ++k) {
    state.phase = PhaseName::damped;
    const State before = state;
    if (!pass(work, state).accepted) {
      EXPECT_EQ(state.point, before.point);
      if (state.phase == PhaseName::penalty) break;
      EXPECT_EQ(state.phase, PhaseName::damped);
      EXPECT_GT(state.damping_joined, before.damping_joined);
      continue;
    }
    EXPECT_LT(state.objective, before.objective);
    EXPECT_LE(state.gap, options.rules.gaps.comparable);
    EXPECT_EQ(state.counters.iterations, before.counters.iterations + 1);
  }
  EXPECT_NEAR(state.point[0], problem.best_theta(0, 2), 1e-3);
}

TEST(PenaltyPhase, IsRefusedWithMoreDampingWhereNothingCanBeEvaluated) {
  RunContext context;
  SolveOptions options;
  test::RateChain problem(1, noisy);
  const nlp::Point start = problem.on_data({0.5});
  problem.without_values_where([start](const nlp::Point& q) { return q != start; });
  Nodes work({problem, options, context}, {});
  State state = begun(work, start);
  state.phase = PhaseName::penalty;
  const Verdict verdict = pass(work, state);
  EXPECT_FALSE(verdict.accepted);
  EXPECT_EQ(verdict.rule, "penalty");
  EXPECT_EQ(state.damping, 0.4);
  EXPECT_EQ(state.counters.attempts, 1);
  EXPECT_EQ(state.counters.iterations, 0);
  EXPECT_EQ(state.phase, PhaseName::penalty);
  EXPECT_EQ(state.point, start);
}

// The elimination of thousands of nodes takes seconds: none is begun once the run is to stop.
TEST(Loop, TakesNoStepOnceTheRunIsToStop) {
  const test::DecayChain problem(noisy);
  const RunContext stopped{.interrupted = [] { return true; }};
  const SolveResult result = gauss_newton(problem, problem.start(0.1), {}, stopped);
  EXPECT_EQ(result.ended, Ended::interrupted);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.trace.size(), 1u);
}

}  // namespace
}  // namespace salvo::solve
