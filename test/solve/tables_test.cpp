#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "decay_chain.hpp"
#include "regression.hpp"
#include "solve/method/descent.hpp"
#include "solve/method/descent_phases.hpp"
#include "solve/method/descent_workspace.hpp"
#include "solve/method/gauss_newton.hpp"
#include "solve/method/krylov_phase.hpp"
#include "solve/method/lagrangian.hpp"
#include "solve/method/lagrangian_workspace.hpp"
#include "solve/method/line_phase.hpp"
#include "solve/method/loop.hpp"
#include "solve/method/nodes.hpp"
#include "solve/method/phase.hpp"
#include "solve/method/scalar_sqp.hpp"
#include "solve/method/scalar_workspace.hpp"
#include "solve/method/start_phase.hpp"
#include "solve/state/phase_name.hpp"

// Runs that go through the tables of phases: nothing follows a phase but what its row says, and all of that does.
namespace salvo::solve {
namespace {

using Transitions = std::set<std::pair<PhaseName, PhaseName>>;

template <class Workspace>
void walk(const Table<Workspace>& table, Workspace& work, State state, Transitions& seen) {
  for (int n = 0; n < 500 && !stopped(work, state); ++n) {
    const Phase<Workspace>& phase = table.at(state.phase);
    const Proposal proposal = phase.propose(work, state);
    Trial trial;
    Verdict verdict;
    if (proposal.leave) {
      verdict.ending = proposal.leave->ending;
    } else {
      trial = work.evaluate(state, proposal);
      verdict = phase.judge(work, state, proposal, trial);
      if (verdict.accepted && !verdict.ending && !trial.has_derivatives && is_linearised_after(proposal))
        verdict = work.differentiate(state, trial, std::move(verdict));
    }
    const State before = state;
    advance(phase, work, proposal, trial, verdict, state);
    EXPECT_TRUE(verdict.accepted || state.point == before.point) << to_string(phase.name);
    if (verdict.ending) return;
    seen.insert({phase.name, state.phase});
    if (verdict.accepted && phase.ends(work, state, proposal)) return;
  }
}

template <class Workspace>
Transitions all_of(const Table<Workspace>& table) {
  Transitions out;
  for (const Phase<Workspace>& row : table.phases)
    for (const PhaseName next : row.followers) out.insert({row.name, next});
  return out;
}

std::string in_words(const Transitions& transitions) {
  std::string out;
  for (const auto& [from, to] : transitions)
    out += std::string(to_string(from)) + " -> " + std::string(to_string(to)) + "\n";
  return out;
}

State on_nodes(nlp::Point q, const SolveOptions& options) {
  State state{.point = std::move(q)};
  state.request.accuracy = options.search_accuracy;
  state.is_searching = options.search_accuracy > 0;
  state.damping = state.damping_joined = options.rules.damping.first;
  state.penalty = options.rules.penalty.first;
  return state;
}

TEST(Tables, OfGaussNewtonAreGoneThrough) {
  const RunContext context;
  Transitions seen;
  const auto go = [&](const nlp::Problem& problem, nlp::Point start, const SolveOptions& options) {
    Nodes work({problem, options, context}, {});
    walk(gauss_newton_table(), work, on_nodes(std::move(start), options), seen);
  };
  const test::DecayChain decay(test::noisy);
  SolveOptions searching;
  searching.search_accuracy = 1e-4;
  searching.search_iterations = 3;
  go(decay, decay.start(0.1), {});
  go(decay, decay.start(3), searching);
  test::RateChain bent(2, {0, 0, 0});
  bent.with_rows([](const nlp::Point& theta) -> test::Residuals {
    return {{10 * (theta[1] - theta[0] * theta[0]), 1 - theta[0]}, {{-20 * theta[0], 10}, {-1, 0}}, {}};
  });
  go(bent, bent.on_trajectory({-1.2, 1}, 0), {});
  test::RateChain far(1, {0, 0, 0});  // the full step is longer than ten sizes
  far.with_rows([](const nlp::Point& theta) -> test::Residuals { return {{theta[0] - 100}, {{1}}, {}}; });
  go(far, far.on_trajectory({0}, 0), {});
  std::vector<double> many;
  for (int j = 0; j < 41; ++j) many.push_back(2 + std::sin(j));
  const test::RateChain chain(20, many);
  go(chain, chain.on_data(nlp::Point(20, 0.1)), {});
  test::RateChain edge(1, test::noisy);
  const nlp::Point start = edge.on_trajectory({0.7}, 2);
  edge.without_values_where([start](const nlp::Point& q) { return q != start; });
  go(edge, start, {});
  // A frozen step beyond the bounds, at once and after another one.
  for (const int attempts : {0, 1}) {
    const SolveOptions options;
    Nodes work({decay, options, context}, {});
    State state = on_nodes(decay.start(0.5), options);
    state.linearised = {state.point, state.request};
    ASSERT_TRUE(work.restore(state).ok);
    state.phase = PhaseName::frozen;
    state.pending.assign(state.point.size(), INFINITY);
    state.counters.attempts = attempts;
    test::DecayChain bounded(test::noisy);
    bounded.bound(-1, 1);
    Nodes inside({bounded, options, context}, {});
    ASSERT_TRUE(inside.restore(state).ok);
    walk(gauss_newton_table(), inside, state, seen);
  }
  Transitions missing;
  for (const auto& transition : all_of(gauss_newton_table()))
    if (!seen.contains(transition)) missing.insert(transition);
  EXPECT_TRUE(missing.empty()) << "never taken:\n" << in_words(missing);
  for (const auto& transition : seen)
    EXPECT_TRUE(all_of(gauss_newton_table()).contains(transition)) << in_words({transition});
}

TEST(Tables, OfDescentsAreGoneThrough) {
  const RunContext context;
  Transitions seen;
  SolveOptions asking;
  asking.asks_before_end = true;
  asking.rules.descent.patience = 3;
  asking.rules.descent.most_bends = 0;
  const test::Regression valley = test::rosenbrock(100);
  const test::Regression wall(2, [](const nlp::Point& q) {
    return test::Residuals{.r = {10 + 5e4 * q[0] * q[0], 10 + q[1] * q[1] / 200, 1 + 0.05 * q[0] + 0.05 * q[1]},
                           .J = {{1e5 * q[0], 0}, {0, q[1] / 100}, {0.05, 0.05}}};
  });
  for (const auto& [problem, start] : {std::pair{&valley, nlp::Point{-1.2, 1}}, std::pair{&wall, nlp::Point{0, 0}}}) {
    DescentWorkspace work({*problem, asking, context});
    State state{.point = start};
    state.radius = asking.rules.descent.first_radius;
    walk(descent_table(), work, state, seen);
  }
  EXPECT_EQ(seen, all_of(descent_table())) << in_words(seen);
}

TEST(Tables, OfTheOtherTwoAreGoneThrough) {
  const RunContext context;
  const SolveOptions options;
  const test::DecayChain decay(test::noisy);
  Transitions seen;
  LagrangianWorkspace lagrangian_work({decay, options, context});
  walk(lagrangian_table(), lagrangian_work, on_nodes(decay.start(0.1), options), seen);
  EXPECT_EQ(seen, all_of(lagrangian_table()));
  seen.clear();
  ScalarWorkspace scalar_work({decay, options, context}, 2);
  walk(scalar_table(), scalar_work, State{.point = decay.start(0.1)}, seen);
  EXPECT_EQ(seen, all_of(scalar_table()));
}

TEST(PhaseNames, AreAllDifferent) {
  std::set<std::string_view> names;
  for (const PhaseName phase : every_phase) names.insert(to_string(phase));
  EXPECT_EQ(names.size(), every_phase.size());
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace salvo::solve
