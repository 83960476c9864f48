#include "solve/state/state.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/stop_flag.hpp"
#include "decay_chain.hpp"
#include "regression.hpp"
#include "solve/method/descent.hpp"
#include "solve/method/gauss_newton.hpp"
#include "solve/method/lagrangian.hpp"
#include "solve/method/scalar_sqp.hpp"
#include "solve/state/ended.hpp"
#include "solve/state/members.hpp"

// A run that is stopped at any iteration, written, read and gone on with gives the bits of one that was not.
namespace salvo::solve {
namespace {

struct ResumedRun {
  const char* name;
  std::function<SolveResult(const SolveOptions&)> begin;
  std::function<SolveResult(State, const SolveOptions&)> go_on;
  SolveOptions options{};
};

using test::noisy;

template <class Problem>
ResumedRun on_nodes(const char* name, std::shared_ptr<const Problem> problem, nlp::Point start,
                    SolveOptions options = {}) {
  return {name, [problem, start](const SolveOptions& with) { return gauss_newton(*problem, start, with, {}); },
          [problem](State from, const SolveOptions& with) { return gauss_newton(*problem, std::move(from), with, {}); },
          options};
}

template <class Problem>
ResumedRun descent(const char* name, Problem problem_value, nlp::Point start, SolveOptions options = {}) {
  const auto problem = std::make_shared<const Problem>(std::move(problem_value));
  return {name, [problem, start](const SolveOptions& with) { return descend(*problem, start, with, {}); },
          [problem](State from, const SolveOptions& with) { return descend(*problem, std::move(from), with, {}); },
          options};
}

std::vector<ResumedRun> resumed_runs() {
  const auto decay = std::make_shared<const test::DecayChain>(noisy);
  auto bent = std::make_shared<test::RateChain>(2, std::vector<double>{0, 0, 0});
  bent->with_rows([](const nlp::Point& theta) -> test::Residuals {
    return {{10 * (theta[1] - theta[0] * theta[0]), 1 - theta[0]}, {{-20 * theta[0], 10}, {-1, 0}}, {}};
  });
  std::vector<double> many;
  for (int j = 0; j < 41; ++j) many.push_back(2 + std::sin(j));
  const auto chain = std::make_shared<const test::RateChain>(20, many);
  SolveOptions searching;
  searching.search_accuracy = 1e-4;
  searching.search_iterations = 3;
  SolveOptions asking;
  asking.asks_before_end = true;
  asking.rules.descent.patience = 3;
  asking.rules.descent.most_bends = 0;
  SolveOptions straight;
  straight.rules.descent.most_bends = 0;
  std::vector<ResumedRun> out{on_nodes<test::DecayChain>("full_steps", decay, decay->start(0.1)),
                              on_nodes<test::DecayChain>("penalty_steps", decay, decay->start(3)),
                              on_nodes<test::DecayChain>("a_rough_search", decay, decay->start(3), searching),
                              on_nodes<test::RateChain>("damped_steps", bent, bent->on_trajectory({-1.2, 1}, 0)),
                              on_nodes<test::RateChain>("frozen_steps", chain, chain->on_data(nlp::Point(20, 0.1))),
                              descent("a_valley", test::rosenbrock(), {-1.2, 1}, straight),
                              descent("a_valley_with_hessians", test::rosenbrock(100), {-1.2, 1}, asking),
                              descent("units_that_change", test::rosenbrock().sized([](const nlp::Point& q) {
                                return std::vector<double>{0.1 + std::abs(q[0]), 0.1 + std::abs(q[1])};
                              }),
                                      {-1.2, 1})};
  out.push_back(
      {"lagrangian", [decay](const SolveOptions& with) { return lagrangian(*decay, decay->start(0.1), with, {}); },
       [decay](State from, const SolveOptions& with) { return lagrangian(*decay, std::move(from), with, {}); }});
  out.push_back(
      {"scalar", [decay](const SolveOptions& with) { return scalar_sqp(*decay, decay->start(0.1), 2, with, {}); },
       [decay](State from, const SolveOptions& with) { return scalar_sqp(*decay, std::move(from), 2, with, {}); }});
  return out;
}

class EveryRun : public ::testing::TestWithParam<ResumedRun> {};

TEST_P(EveryRun, GoesOnWithTheSameBitsFromEveryIteration) {
  const ResumedRun& which = GetParam();
  const SolveResult whole = which.begin(which.options);
  ASSERT_GE(whole.iterations, 3);
  for (int k = 0; k < whole.iterations; ++k) {
    SolveOptions until = which.options;
    until.max_iterations = k;
    const SolveResult stopped = which.begin(until);
    ASSERT_EQ(stopped.ended, Ended::iterations) << k;
    const std::string text = write(stopped.state);
    const Result<State> state = read(text);
    ASSERT_TRUE(state) << state.issues().front().message;
    EXPECT_EQ(*state, stopped.state) << k;
    EXPECT_EQ(write(*state), text) << k;
    const SolveResult rest = which.go_on(*state, which.options);
    EXPECT_EQ(rest.ended, whole.ended) << k;
    EXPECT_EQ(rest.q, whole.q) << k;
    EXPECT_EQ(rest.objective, whole.objective) << k;
    EXPECT_EQ(rest.iterations, whole.iterations) << k;
    EXPECT_EQ(write(rest.state), write(whole.state)) << k;
    ASSERT_EQ(rest.trace.size() + k + 1, whole.trace.size());
    for (std::size_t i = 0; i < rest.trace.size(); ++i) {
      EXPECT_EQ(rest.trace[i].objective, whole.trace[i + k + 1].objective);
      EXPECT_EQ(rest.trace[i].rule, whole.trace[i + k + 1].rule);
      EXPECT_EQ(rest.trace[i].phase, whole.trace[i + k + 1].phase);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(State, EveryRun, ::testing::ValuesIn(resumed_runs()),
                         [](const auto& which) { return std::string(which.param.name); });

// A problem whose evaluations are given up from the n-th on, as by a clock that has run out.
class GivenUp final : public nlp::Problem {
 public:
  GivenUp(const nlp::Problem& problem, int n, StopFlag& flag) : problem_(problem), left_(n), flag_(flag) {}

  const nlp::Layout& layout() const override { return problem_.layout(); }
  std::vector<double> sizes(const nlp::Point& q) const override { return problem_.sizes(q); }
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override {
    return is_over() ? nothing() : problem_.values(q, request, out);
  }
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override {
    return is_over() ? nothing() : problem_.linearize(q, request, out);
  }
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request& request, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override {
    return is_over() ? nothing() : problem_.adjoint(q, request, weights, out);
  }
  nlp::Evaluation linearize_nodes(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                                  std::unique_ptr<nlp::Products>& by_theta) const override {
    return is_over() ? nothing() : problem_.linearize_nodes(q, request, out, by_theta);
  }

 private:
  bool is_over() const {
    if (left_-- <= 0) flag_.raise();
    return flag_.is_raised();
  }
  static nlp::Evaluation nothing() { return {.ok = false, .trouble = "given up"}; }

  const nlp::Problem& problem_;
  mutable int left_;
  StopFlag& flag_;
};

TEST(State, IsThatBeforeAnEvaluationThatWasGivenUp) {
  const test::DecayChain decay(noisy);
  const nlp::Point start = decay.start(3);
  const SolveResult whole = gauss_newton(decay, start, {}, {});
  int stops = 0;
  for (int n = 1;; ++n) {
    StopFlag flag;
    const GivenUp problem(decay, n, flag);
    const SolveResult stopped =
        gauss_newton(problem, start, {}, {.interrupted = [&] { return flag.is_raised(); }, .stop = &flag});
    if (!flag.is_raised()) break;
    ++stops;
    EXPECT_EQ(stopped.ended, Ended::interrupted) << n;
    const SolveResult rest = gauss_newton(decay, stopped.state, {}, {});
    EXPECT_EQ(rest.q, whole.q) << n;
    EXPECT_EQ(write(rest.state), write(whole.state)) << n;
  }
  EXPECT_GT(stops, whole.iterations);
}

TEST(State, SaysWhatIsWrongWithADamagedText) {
  const std::string text = write(State{.point = {1, 2.5}});
  const auto complaint = [](const std::string& damaged) { return read(damaged).issues().front().message; };
  EXPECT_EQ(complaint("fit.json"), "this is not the state of a run");
  EXPECT_EQ(complaint(text.substr(0, 60)), "the state of the run has no end");
  std::string other = text;
  other[other.find("0x1.4p+1") + 4] = '5';
  EXPECT_EQ(complaint(other), "the state of the run was changed after it was written");
}

TEST(State, IsComparedByValue) {
  State a{.point = {1, 2}};
  State b = a;
  EXPECT_EQ(a, b);
  b.counters.idle = 1;
  EXPECT_NE(a, b);
}

TEST(Ended, HasAWordForEveryCase) {
  EXPECT_EQ(to_string(Ended::tolerance), "tolerance");
  EXPECT_EQ(to_string(Ended::joined), "joined");
  EXPECT_EQ(to_string(Ended::budget), "budget");
  EXPECT_EQ(to_string(Ended::deadline), "deadline");
  EXPECT_EQ(to_string(Ended::iterations), "iterations");
  EXPECT_EQ(to_string(Ended::interrupted), "interrupted");
  EXPECT_EQ(to_string(Ended::no_step), "no_step");
  EXPECT_EQ(to_string(Ended::conflict), "conflict");
  EXPECT_EQ(to_string(Ended::not_computable), "not_computable");
  EXPECT_EQ(to_string(Ended::early_stopping), "early_stopping");
}

}  // namespace
}  // namespace salvo::solve
