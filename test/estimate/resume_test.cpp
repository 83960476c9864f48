#include "estimate/ways/resume.hpp"

#include "estimate/answer/write.hpp"
#include "laid_out.hpp"

// A run that is stopped at any iteration, written down, read and gone on with, in a workspace that knows nothing of it,
// leads to the bits of one that was never stopped.
namespace salvo::estimate {
namespace {

struct StoppableRun {
  const char* name;
  const Way* way;
  model::Problem problem;
  Options options{};
  bool goes_on = true;  // rather than begins again
};

constexpr int never = 1'000'000;
constexpr int at_once = -1;

// What the way comes to from scratch or from where it was stopped, if `last` is the last iteration it may end.
Answer run_until(const StoppableRun& which, int last, const Answer* stopped) {
  const Workspace workspace(which.problem, which.options);
  const PlannedWay planned{.way = which.way, .discretisation = discretisation_for(*which.way, workspace)};
  Random random = Random::stream(1, 0);
  bool is_over = last == at_once;
  RunContext context;
  context.listener = [&](const Event& event) {
    if (const auto* done = std::get_if<IterationDone>(&event)) is_over = is_over || done->iteration >= last;
  };
  context.interrupted = [&] { return is_over; };
  std::vector<Found> found = which.way->run(
      {.workspace = workspace, .planned = planned, .random = random, .context = context, .stopped = stopped});
  found.front().answer.work = {};  // which counts the evaluation that finds the derivatives again
  return std::move(found.front().answer);
}

class EveryWayThatIsStopped : public ::testing::TestWithParam<StoppableRun> {};

TEST_P(EveryWayThatIsStopped, GoesOnWithTheSameBits) {
  const StoppableRun& which = GetParam();
  const Answer whole = run_until(which, never, nullptr);
  ASSERT_TRUE(is_proved(whole)) << whole.trouble;
  ASSERT_GE(whole.run.iterations, 3);
  int gone_on_with = 0;
  for (int k = 0; k < whole.run.iterations; ++k) {
    const Answer stopped = run_until(which, k, nullptr);
    gone_on_with += stopped.stopped ? 1 : 0;
    const Result<Answer> again = read(write(stopped));
    ASSERT_TRUE(again) << again.issues().front().message;
    EXPECT_EQ(*again, stopped) << k;
    const Answer rest = run_until(which, never, &*again);
    EXPECT_EQ(rest.run.q, whole.run.q) << k;
    EXPECT_EQ(rest.run.iterations, whole.run.iterations) << k;
    EXPECT_EQ(write(rest), write(whole)) << k;
  }
  EXPECT_EQ(gone_on_with > 0, which.goes_on);
}

TEST_P(EveryWayThatIsStopped, GoesOnAfterASecondStopToo) {
  const StoppableRun& which = GetParam();
  const Answer whole = run_until(which, never, nullptr);
  const Answer once = run_until(which, 0, nullptr);
  const Answer twice = run_until(which, whole.run.iterations / 2, &once);
  EXPECT_EQ(write(run_until(which, never, &twice)), write(whole));
}

// Nothing is lost, and nothing is said that was not so.
TEST_P(EveryWayThatIsStopped, StaysAsItWasWhereItIsStoppedAtOnce) {
  const StoppableRun& which = GetParam();
  const Answer once = run_until(which, 2, nullptr);
  if (!once.stopped) return;
  EXPECT_EQ(write(run_until(which, at_once, &once)), write(once));
}

std::vector<StoppableRun> stoppable_runs() {
  model::Problem robust = test::seen_decay();
  robust.observables[0].distribution = model::Distribution::laplace;
  const Options at_measurements{.nodes = model::NodesAtMeasurements{}};
  Options by_lagrangian = at_measurements;
  by_lagrangian.method = model::Method::lagrangian;
  Options by_scalar = at_measurements;
  by_scalar.method = model::Method::scalar;
  return {{"nodes_that_stay", &nodes, test::predator_prey(), at_measurements},
          {"nodes_that_change", &nodes, test::predator_prey()},
          {"lagrangian", &nodes, test::predator_prey(), by_lagrangian},
          {"scalar", &nodes, test::seen_decay(), by_scalar},
          {"trajectory", &trajectory, test::predator_prey(), {.guess = {{"p4", 0.8}}}},
          {"a_law_with_a_corner", &nodes, robust, {}, false}};
}

INSTANTIATE_TEST_SUITE_P(Resume, EveryWayThatIsStopped, ::testing::ValuesIn(stoppable_runs()),
                         [](const auto& which) { return std::string(which.param.name); });

// A film is thinned out as it would have been, wherever the run was stopped.
TEST(Resume, LeavesTheFilmOfALongRunAsItWouldBe) {
  constexpr int iterations = 300;
  const auto run_of = [](int from, int to) {
    solve::SolveResult run;
    for (int k = from; k < to; ++k) {
      run.trace.push_back({.iteration = k});
      run.film.keep({k, 0, {1.0 * k}});
    }
    return run;
  };
  const solve::SolveResult unstopped = run_of(0, iterations);
  for (int k = 1; k < iterations; ++k) {
    const solve::SolveResult whole = whole_of(run_of(0, k), run_of(k, iterations));
    ASSERT_EQ(whole.trace.size(), unstopped.trace.size());
    EXPECT_EQ(whole.film.stride(), unstopped.film.stride()) << k;
    ASSERT_EQ(whole.film.frames().size(), unstopped.film.frames().size()) << k;
    for (std::size_t i = 0; i < whole.film.frames().size(); ++i)
      EXPECT_EQ(whole.film.frames()[i].iteration, unstopped.film.frames()[i].iteration) << k;
  }
}

TEST(Resume, StopsBeforeAndAfterAChangeOfNodes) {
  const StoppableRun which{"", &nodes, test::predator_prey()};
  const Answer whole = run_until(which, never, nullptr);
  std::set<int> changes;
  for (int k = 0; k < whole.run.iterations; ++k)
    if (const Answer stopped = run_until(which, k, nullptr); stopped.stopped)
      changes.insert(stopped.stopped->part.changes);
  EXPECT_EQ(changes, (std::set<int>{0, 1}));
}

// Predictions and derivatives are found again where they were, with their bits.
TEST(Resume, FindsAgainWhatIsNotWrittenDown) {
  const test::Estimated fit(test::predator_prey());
  const Workspace workspace(fit.problem, {});
  const Found again = found_again(workspace, *read(write(fit.answer())));
  ASSERT_TRUE(again.answer.predictions.ok);
  ASSERT_EQ(again.answer.predictions.fitted.size(), fit.answer().predictions.fitted.size());
  for (std::size_t i = 0; i < again.answer.predictions.fitted.size(); ++i)
    EXPECT_EQ(again.answer.predictions.fitted[i].simulation, fit.answer().predictions.fitted[i].simulation);
  const nlp::Blocks& a = fit.answer().run.linearized;
  const nlp::Blocks& b = again.answer.run.linearized;
  EXPECT_EQ(a.objective, b.objective);
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    ASSERT_EQ(a.chains[c].rows.size(), b.chains[c].rows.size());
    for (std::size_t j = 0; j < a.chains[c].rows.size(); ++j) {
      EXPECT_EQ(a.chains[c].rows[j].r, b.chains[c].rows[j].r);
      EXPECT_EQ(a.chains[c].rows[j].by_theta.data, b.chains[c].rows[j].by_theta.data);
      EXPECT_EQ(a.chains[c].rows[j].by_block.data, b.chains[c].rows[j].by_block.data);
    }
  }
}

}  // namespace
}  // namespace salvo::estimate
