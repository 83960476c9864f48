#include "estimate/answer/write.hpp"

#include <filesystem>

#include "estimate/answer/stopped_run.hpp"
#include "formats/problem/read.hpp"
#include "laid_out.hpp"

// An answer is written down and read again, bit for bit.
namespace salvo::estimate {
namespace {

Answer written_and_read(const Answer& answer) {
  const Result<Answer> again = read(write(answer));
  EXPECT_TRUE(again) << again.issues().front().message;
  return again ? *again : Answer{};
}

void expect_same(const std::vector<shooting::Grid>& a, const std::vector<shooting::Grid>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].experiment, b[i].experiment);
    EXPECT_EQ(a[i].tau, b[i].tau);
  }
}

void expect_same_certificate(const solve::Certificate& a, const solve::Certificate& b) {
  const auto& [gap, violation, gain, resolution, is_resolved, integration, contraction, is_of_nodes, is_flat, probes,
               rank, missing] = a;  // whoever adds a field writes it
  EXPECT_EQ(std::tie(gap, violation, gain, resolution, is_resolved, integration, contraction, is_of_nodes, is_flat,
                     rank, missing),
            std::tie(b.gap, b.constraint_violation, b.gain, b.resolution, b.is_resolved, b.integration, b.contraction,
                     b.is_of_nodes, b.is_flat, b.rank, b.missing));
  ASSERT_EQ(probes.size(), b.probes.size());
  for (std::size_t i = 0; i < probes.size(); ++i)
    EXPECT_EQ(std::tie(probes[i].direction, probes[i].verdict, probes[i].change),
              std::tie(b.probes[i].direction, b.probes[i].verdict, b.probes[i].change));
}

void expect_same_run(const solve::SolveResult& a, const solve::SolveResult& b) {
  const auto& [request, ended, claims_minimum, trouble, chain, link, q, linearized, objective, gap, violation, promised,
               iterations, trace, film, multipliers, conflict, state, best_iteration] = a;
  EXPECT_EQ(request, b.request);
  EXPECT_EQ(ended, b.ended);
  EXPECT_EQ(std::tie(claims_minimum, trouble, chain, link, q, objective, gap, violation, promised, iterations),
            std::tie(b.claims_minimum, b.trouble, b.chain, b.link, b.q, b.objective, b.gap, b.violation, b.promised,
                     b.iterations));
  EXPECT_TRUE(b.linearized.chains.empty());
  ASSERT_EQ(trace.size(), b.trace.size());
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto& [iteration, objective_of_it, gap_of_it, step, multiplier, theta, phase, rule] = trace[i];
    const solve::Iteration& other = b.trace[i];
    EXPECT_EQ(std::tie(iteration, objective_of_it, gap_of_it, step, multiplier, theta, phase, rule),
              std::tie(other.iteration, other.objective, other.gap, other.step, other.multiplier, other.theta,
                       other.phase, other.rule));
  }
  EXPECT_EQ(film.stride(), b.film.stride());
  ASSERT_EQ(film.frames().size(), b.film.frames().size());
  for (std::size_t i = 0; i < film.frames().size(); ++i) EXPECT_EQ(film.frames()[i].q, b.film.frames()[i].q);
  EXPECT_EQ(multipliers, b.multipliers);
  EXPECT_EQ(conflict.rows, b.conflict.rows);
  EXPECT_EQ(state, b.state);
  EXPECT_EQ(best_iteration, b.best_iteration);
}

void expect_survives(const Answer& answer) {
  const Answer again = written_and_read(answer);
  const auto& [way, run, linearised, grids, values, standing, trouble, certificate, mirrored, method, derivatives,
               integrator, work, points, remarks, start, grids_seen, stopped, predictions, root, motion] = answer;
  EXPECT_EQ(
      std::tie(way, linearised, values, standing, trouble, mirrored, method, derivatives, integrator, points, remarks),
      std::tie(again.way, again.linearised, again.estimates, again.standing, again.trouble, again.mirrored,
               again.method, again.derivatives, again.integrator, again.points, again.remarks));
  expect_same_run(run, again.run);
  expect_same_certificate(certificate, again.certificate);
  expect_same(grids, again.grids);
  expect_same(start.grids, again.start.grids);
  EXPECT_EQ(start.q, again.start.q);
  ASSERT_EQ(grids_seen.size(), again.grids_seen.size());
  for (std::size_t i = 0; i < grids_seen.size(); ++i) expect_same(grids_seen[i], again.grids_seen[i]);
  EXPECT_EQ(std::tie(work.trajectories, work.tangents, work.adjoints, work.rhs),
            std::tie(again.work.trajectories, again.work.tangents, again.work.adjoints, again.work.rhs));
  EXPECT_EQ(stopped.has_value(), again.stopped.has_value());
  EXPECT_FALSE(again.predictions.ok);  // they follow from the point
  EXPECT_FALSE(again.root);
  EXPECT_FALSE(again.motion);
  EXPECT_EQ(again, answer);
  EXPECT_EQ(write(again), write(answer));
}

TEST(WrittenAnswer, OfPredatorAndPreyIsReadAgain) {
  const test::Estimated fit(test::predator_prey());
  ASSERT_TRUE(is_proved(fit.answer()));
  EXPECT_FALSE(fit.answer().run.linearized.chains.empty());
  expect_survives(fit.answer());
}

TEST(WrittenAnswer, WithEstimatedNoiseIsReadAgain) {
  const test::Estimated fit(
      *formats::read_problem(std::filesystem::path(SALVO_SOURCE_DIR) / "test/data/hare_lynx.yaml"));
  ASSERT_TRUE(is_proved(fit.answer()));
  expect_survives(fit.answer());
  for (const Answer& other : fit.estimation.proved) expect_survives(other);
}

// 2 e^(-b t) + 2 e^(-c t): b and c may be exchanged.
TEST(WrittenAnswer, IsReadAgainWithThoseThatFitAsWell) {
  test::Builder builder(test::Equations{{"x", "-b*x"}, {"y", "-c*y"}});
  builder.parameter("b", test::within(1.5, 0.01, 10)).parameter("c", test::within(0.3, 0.01, 10));
  builder.observable("sum", "x + y", "0.01");
  builder.experiment(model::default_experiment, {std::string("2"), std::string("2")});
  for (int j = 1; j <= 12; ++j)
    builder.measure(0, 0, 0.3 * j, 2 * std::exp(-2 * 0.3 * j) + 2 * std::exp(-0.5 * 0.3 * j));
  const test::Estimated fit(builder.build());
  expect_survives(fit.answer());
  ASSERT_EQ(fit.estimation.proved.size(), 1U);
  EXPECT_EQ(fit.estimation.proved[0].mirrored, "b and c are exchanged");
  expect_survives(fit.estimation.proved[0]);
  EXPECT_FALSE(fit.estimation.proved[0] == fit.answer());
}

TEST(WrittenAnswer, OfNothingIsReadAgain) { expect_survives({}); }

TEST(WrittenAnswer, DamagedOrForeignSaysSo) {
  const std::string text = write(Answer{.way = "nodes", .estimates = {1, 2.5}});
  const auto complaint = [](const std::string& damaged) { return read(damaged).issues().front().message; };
  EXPECT_EQ(complaint("{}"), "this is not an answer");
  EXPECT_EQ(complaint(solve::write(solve::State{})), "this is not an answer");
  EXPECT_EQ(complaint(text.substr(0, text.size() / 2)), "the answer has no end");
  std::string other = text;
  other[other.find("0x1.4p+1") + 4] = '5';
  EXPECT_EQ(complaint(other), "the answer was changed after it was written");
  EXPECT_EQ(complaint(text + "more\n"), "the answer was changed after it was written");
  for (std::size_t n = 0; n < text.size(); n += 7) EXPECT_FALSE(read(text.substr(0, n))) << n;
}

}  // namespace
}  // namespace salvo::estimate
