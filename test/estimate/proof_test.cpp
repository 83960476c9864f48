#include "estimate/answer/proof.hpp"

#include "estimate/answer/answer.hpp"
#include "estimate/answer/standing.hpp"
#include "estimate/ways/trajectory.hpp"
#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

// x = exp(-0.5 t) at t = 0.5 ... 4, without noise.
model::Problem half_decay() {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x", "0.05");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.5 * 0.5 * j));
  return builder.build();
}
Options one_interval(bool iterations_are_stated) {
  Options options{.nodes = model::SingleInterval{}};
  if (iterations_are_stated) options.max_iterations = 1;
  return options;
}

// One iteration at a time: what is left to gain after it is little, and another descent or two finish it.
Answer proved_after_one_iteration(bool iterations_are_stated, double guess) {
  test::LaidOut laid(half_decay(), one_interval(iterations_are_stated));
  laid.setup.solve.max_iterations = 1;
  Answer answer;
  answer.run = descend_precisely(laid.setup, {guess}, {});
  EXPECT_EQ(answer.run.ended, solve::Ended::iterations);
  prove(laid.setup, answer, {});
  return answer;
}

TEST(Proof, GoesOnWhereIterationsAreUsedUpAndLittleIsLeftToGain) {
  const Answer answer = proved_after_one_iteration(false, 0.45);
  EXPECT_TRUE(is_proved(answer)) << answer.certificate.missing;
  EXPECT_NEAR(answer.run.q[0], 0.5, 1e-6);
}

TEST(Proof, ObeysANumberOfIterationsThatWasStated) {
  const Answer answer = proved_after_one_iteration(true, 0.45);
  EXPECT_EQ(answer.run.ended, solve::Ended::iterations);
  EXPECT_EQ(answer.run.iterations, 1);
}

// Falls of the objective over the last twelve iterations, of a descent that ended at its minimum.
Answer proved_after(const std::vector<double>& falls) {
  test::LaidOut laid(half_decay(), one_interval(true));
  laid.setup.solve.max_iterations = 200;
  Answer answer;
  answer.run = descend_precisely(laid.setup, {0.45}, {});
  answer.run.ended = solve::Ended::iterations;  // which claims no minimum
  answer.run.claims_minimum = false;
  std::vector<solve::Iteration> trace{answer.run.trace.back()};
  for (auto fall = falls.rbegin(); fall != falls.rend(); ++fall) {
    trace.insert(trace.begin(), trace.front());
    trace.front().objective += *fall;
  }
  answer.run.trace = std::move(trace);
  prove(laid.setup, answer, {});
  return answer;
}

// One more step would gain nothing, as far as anybody can tell, but each of the last ones did.
TEST(Proof, DoesNotHoldWhileTheObjectiveFallsSteadily) {
  const Answer answer = proved_after(std::vector<double>(12, 1e-3));
  EXPECT_EQ(answer.standing, Standing::no_minimum);
  EXPECT_EQ(answer.certificate.missing, "the objective still falls by 0.001 in each iteration");
}

TEST(Proof, HoldsWhereIterationsEndTogetherWithADescent) {
  const Answer answer = proved_after({10, 8, 7, 5, 3, 2, 1, 0.5, 0.1, 1e-2, 1e-4, 1e-8});
  EXPECT_EQ(answer.standing, Standing::minimum) << answer.certificate.missing;
}

TEST(Proof, EndsWhereIterationsAreUsedUpAndMuchIsLeftToGain) {
  const Answer answer = proved_after_one_iteration(false, 3);
  EXPECT_EQ(answer.run.ended, solve::Ended::iterations);
  EXPECT_GT(answer.certificate.gain.value(), 0.1);
}

// Two words for two things: what the point is, and why the run ended there. What the page says of both, it holds.
TEST(Standing, OfAMinimumIsConvergedWhyeverTheRunEnded) {
  using solve::Ended;
  const std::map<Ended, Status> page{
      {Ended::tolerance, Status::stalled},      {Ended::joined, Status::stalled},
      {Ended::budget, Status::stalled},         {Ended::no_step, Status::stalled},
      {Ended::early_stopping, Status::stalled}, {Ended::iterations, Status::max_iterations},
      {Ended::deadline, Status::max_time},      {Ended::interrupted, Status::interrupted},
      {Ended::conflict, Status::infeasible},    {Ended::not_computable, Status::numerical_failure}};
  for (const auto& [ended, status] : page) {
    EXPECT_EQ(status_of(Standing::minimum, ended), Status::converged);
    EXPECT_EQ(status_of(Standing::minimum_on_nodes, ended), Status::converged);
    EXPECT_EQ(status_of(Standing::no_minimum, ended), status);
    EXPECT_EQ(status_of(Standing::torn, ended), status == Status::stalled ? Status::infeasible : status);
  }
}

// Two decays of which the sum is seen: with a = b the rows cannot tell them apart, and steps keep them equal.
model::Problem two_decays(double most) {
  test::Builder builder({{"x", "-a*x"}, {"y", "-b*y"}});
  builder.parameter("a", test::within(0.6, 0, 50)).parameter("b", test::within(0.6, 0, 50));
  builder.observable("seen", "x + y", "0.02");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("1")});
  for (int j = 1; j <= 12; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.25 * 0.5 * j) + std::exp(-2.2 * 0.5 * j));
  return builder.constraint("a + b", "<=", std::to_string(most)).build();
}

TEST(Proof, LeavesASaddleBesideAConstraintThatIsNotMet) {
  const test::Estimated fit(two_decays(60));
  ASSERT_TRUE(is_proved(fit.answer())) << fit.answer().trouble;
  EXPECT_NEAR(std::min(fit.value("a"), fit.value("b")), 0.25, 1e-5);
  EXPECT_NEAR(std::max(fit.value("a"), fit.value("b")), 2.2, 1e-4);
  EXPECT_TRUE(fit.answer().certificate.gain) << "it was measured";
  EXPECT_EQ(fit.answer().certificate.rank, 2);
}

// With a + b held, a = b is a saddle still; the best point along the constraint is no pair of equals.
TEST(Proof, LeavesASaddleAlongAConstraintThatIsMet) {
  const test::Estimated fit(two_decays(1.1));
  ASSERT_TRUE(is_proved(fit.answer())) << fit.answer().trouble;
  EXPECT_NEAR(fit.value("a") + fit.value("b"), 1.1, 1e-6);
  EXPECT_GT(std::abs(fit.value("a") - fit.value("b")), 0.1);
  EXPECT_EQ(fit.answer().certificate.rank, 2);
}

}  // namespace
}  // namespace salvo::estimate
