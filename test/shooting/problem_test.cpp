#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "helpers/allocations.hpp"
#include "helpers/samples.hpp"

namespace salvo::shooting {
namespace {

nlp::Blocks blocks_at(const ShootingProblem& problem, const nlp::Point& q) {
  nlp::Blocks blocks;
  const nlp::Evaluation done = problem.linearize(q, blocks);
  EXPECT_TRUE(done.ok) << done.trouble;
  return blocks;
}

// expect(a, b) compares derivatives; values have the same bits.
template <class Expect>
void compare(const nlp::Blocks& a, const nlp::Blocks& b, const Expect& expect) {
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.gap, b.gap);
  expect(a.priors.by_theta.data, b.priors.by_theta.data);
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    for (std::size_t j = 0; j < a.chains[c].rows.size(); ++j) {
      EXPECT_EQ(a.chains[c].rows[j].r, b.chains[c].rows[j].r);
      expect(a.chains[c].rows[j].by_block.data, b.chains[c].rows[j].by_block.data);
      expect(a.chains[c].rows[j].by_theta.data, b.chains[c].rows[j].by_theta.data);
    }
    for (std::size_t j = 0; j < a.chains[c].links.size(); ++j) {
      EXPECT_EQ(a.chains[c].links[j].gap, b.chains[c].links[j].gap);
      expect(a.chains[c].links[j].by_block.data, b.chains[c].links[j].by_block.data);
      expect(a.chains[c].links[j].by_theta.data, b.chains[c].links[j].by_theta.data);
    }
  }
}

void expect_same_bits(const nlp::Blocks& a, const nlp::Blocks& b) {
  compare(a, b, [](const std::vector<double>& x, const std::vector<double>& y) { EXPECT_EQ(x, y); });
}

// A step ends at every measurement, however few a request allows the equations.
TEST(ShootingProblem, AllowsAStepForEveryMeasurement) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.4)).observable("y", "x", "0.1");
  builder.experiment("default", {std::string("2")});
  for (int i = 1; i <= 300; ++i) builder.measure(0, 0, 0.01 * i, 2);
  const model::Problem problem = builder.build();
  const ShootingProblem shooting(problem, compile::compile(problem), make_grids(problem, model::SingleInterval{}), {});
  nlp::Blocks blocks;
  const nlp::Evaluation done = shooting.values({0.4}, {.max_steps = 50}, blocks);
  EXPECT_TRUE(done.ok) << done.trouble;
}

// Several rows at one time, and times in any order: each row has the derivatives of its own time.
TEST(ShootingProblem, FindsTheRowsOfATimeInDataOfAnyOrder) {
  const auto gradient = [](const std::vector<double>& times, bool by_rows) {
    test::Builder builder(test::Equations{{"x", "-k*x"}});
    builder.parameter("k", test::estimated(0.4)).observable("y", "x", "0.1");
    builder.experiment("default", {std::string("2")});
    for (const double t : times) builder.measure(0, 0, t, 2 - t / 3);
    const model::Problem problem = builder.build();
    const ShootingProblem shooting(problem, compile::compile(problem), make_grids(problem, model::SingleInterval{}),
                                   {.derivatives = model::Derivatives::tangent, .lanes = 1});
    nlp::Gradients gradients;
    EXPECT_TRUE(shooting.adjoint({0.4}, {}, gradients).ok);
    if (!by_rows) return gradients.objective_by_q[0];
    double sum = 0;
    const nlp::Blocks blocks = blocks_at(shooting, {0.4});
    for (const nlp::Rows& rows : blocks.chains[0].rows)
      for (std::size_t n = 0; n < rows.r.size(); ++n) sum += rows.r[n] * rows.by_theta.data[n];
    return sum;
  };
  for (const bool by_rows : {true, false}) {
    const double ordered = gradient({1, 1, 1, 2, 2.5, 3, 4}, by_rows);
    EXPECT_NEAR(gradient({2, 1, 3, 1, 2.5, 1, 4}, by_rows), ordered, 1e-9 * std::abs(ordered)) << by_rows;
  }
}

TEST(ShootingProblem, GivesTheSameBitsOnAnyNumberOfThreadsAndLanes) {
  for (const test::Sample& sample : test::samples()) {
    for (const model::Derivatives sweep : {model::Derivatives::tangent, model::Derivatives::adjoint}) {
      SCOPED_TRACE(sample.name);
      const auto plain = test::lay_out(sample, {.derivatives = sweep, .lanes = 1});
      const nlp::Point q = test::generic_point(plain->layout());
      const nlp::Blocks expected = blocks_at(*plain, q);
      nlp::Gradients expected_gradients;
      ASSERT_TRUE(plain->adjoint(q, {.penalty = 2}, expected_gradients).ok);
      for (const int threads : {1, 2}) {
        for (const int lanes : {1, 4}) {
          const auto other =
              test::lay_out(sample, {.derivatives = sweep, .lanes = lanes, .engine = {.threads = threads}});
          expect_same_bits(blocks_at(*other, q), expected);
          nlp::Gradients gradients;
          ASSERT_TRUE(other->adjoint(q, {.penalty = 2}, gradients).ok);
          EXPECT_EQ(gradients.objective_by_q, expected_gradients.objective_by_q);
          for (std::size_t c = 0; c < gradients.links.size(); ++c)
            for (std::size_t j = 0; j < gradients.links[c].size(); ++j)
              EXPECT_EQ(gradients.links[c][j].by_theta, expected_gradients.links[c][j].by_theta);
        }
      }
    }
  }
}

// Functions of the vector library may round otherwise, so that several lanes are compared where there are none. Whole
// steps take the values by the same operations, their derivatives by others.
TEST(ShootingProblem, GivesTheNumbersOfTheTapeWithMachineCode) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  for (const test::Sample& sample : test::samples()) {
    const bool has_functions = sample.name.starts_with("rich");
    for (const model::Derivatives sweep : {model::Derivatives::tangent, model::Derivatives::adjoint}) {
      for (const int lanes : has_functions ? std::vector{1} : std::vector{1, 4}) {
        SCOPED_TRACE(fmt::format("{}, {} lanes", sample.name, lanes));
        const auto tape =
            test::lay_out(sample, {.derivatives = sweep, .lanes = lanes, .engine = {.code = Code::interpreted}});
        const auto native =
            test::lay_out(sample, {.derivatives = sweep, .lanes = lanes, .engine = {.code = Code::native}});
        const nlp::Point q = test::generic_point(tape->layout());
        compare(blocks_at(*native, q), blocks_at(*tape, q), [](const auto& x, const auto& y) {
          ASSERT_EQ(x.size(), y.size());
          for (std::size_t n = 0; n < x.size(); ++n) EXPECT_NEAR(x[n], y[n], 1e-11 * (1 + std::abs(y[n])));
        });
        EXPECT_EQ(tape->engine()->code_in_words(), "");
        EXPECT_TRUE(native->engine()->code_in_words().starts_with("machine code")) << native->engine()->code_in_words();
      }
    }
  }
}

TEST(ShootingProblem, BecomesMachineCodeWhereManyFitsAreExpected) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  const test::Sample sample = test::samples()[0];
  for (const int expected_reuse : {1, 1'000'000}) {
    const auto problem = test::lay_out(sample, {.engine = {.expected_reuse = expected_reuse}});
    blocks_at(*problem, test::generic_point(problem->layout()));
    EXPECT_EQ(problem->engine()->code_in_words().empty(), expected_reuse == 1) << problem->engine()->code_in_words();
  }
}

TEST(ShootingProblem, GivesTheSameBitsTheSecondTime) {
  const test::Sample sample = test::samples()[3];
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = test::generic_point(problem->layout());
  const nlp::Blocks first = blocks_at(*problem, q);
  blocks_at(*problem, test::generic_point(problem->layout(), 77));
  nlp::Gradients between;
  ASSERT_TRUE(problem->adjoint(q, {.penalty = 1}, between).ok);
  expect_same_bits(blocks_at(*problem, q), first);
}

TEST(ShootingProblem, AllocatesNothingAfterItsFirstEvaluation) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem =
      test::lay_out(sample, {.derivatives = model::Derivatives::adjoint, .engine = {.code = Code::interpreted}});
  const nlp::Point q = test::generic_point(problem->layout());
  nlp::Blocks blocks;
  const auto evaluate = [&] { return problem->linearize(q, blocks).ok && problem->values(q, blocks).ok; };
  ASSERT_TRUE(evaluate());
  const long before = test::allocations();
  ASSERT_TRUE(evaluate());
  EXPECT_EQ(test::allocations(), before);
}

// Ten times as many steps to the same stops.
TEST(ShootingProblem, ValuesTakeNoMemoryForSteps) {
  const test::Sample sample{"", test::predator_prey(), model::SingleInterval{}};
  const auto bytes_of_values = [&](double rtol) {
    const auto problem =
        test::lay_out(sample, {.integrator = model::Dopri5{.rtol = rtol}, .engine = {.code = Code::interpreted}});
    const nlp::Point q = test::generic_point(problem->layout());
    nlp::Blocks blocks;
    const long before = test::allocated_bytes();
    const nlp::Evaluation evaluation = problem->values(q, blocks);
    EXPECT_TRUE(evaluation.ok);
    return std::pair(evaluation.steps, test::allocated_bytes() - before);
  };
  bytes_of_values(1e-6);  // what is made once in a program is there by now
  const auto [few_steps, bytes] = bytes_of_values(1e-6);
  const auto [many_steps, the_same] = bytes_of_values(1e-11);
  EXPECT_GT(many_steps, 5 * few_steps);
  EXPECT_EQ(bytes, the_same);
}

// Every measured time takes its state and its step, every value its row.
TEST(ShootingProblem, ValuesOfLongDataTakeLittleMemory) {
  const auto bytes_of_values = [&](int times) {
    model::Problem problem = test::predator_prey();
    problem.measurements.clear();
    for (int n = 1; n <= times; ++n)
      for (const int observable : {0, 1})
        problem.measurements.push_back({.observable = observable, .time = n * 10.0 / times, .value = 1});
    const test::Sample sample{"", problem, model::SingleInterval{}};
    const auto shooting = test::lay_out(sample, {.engine = {.code = Code::interpreted}});
    const nlp::Point q = test::generic_point(shooting->layout());
    nlp::Blocks blocks;
    const long before = test::allocated_bytes();
    EXPECT_TRUE(shooting->values(q, blocks).ok);
    return test::allocated_bytes() - before;
  };
  bytes_of_values(1);  // what is made once in a program is there by now
  const std::size_t of_stop = 2 * sizeof(double) + sizeof(int);
  const std::size_t of_value = sizeof(double);
  EXPECT_EQ(bytes_of_values(4000) - bytes_of_values(2000), 2000 * static_cast<long>(of_stop + 2 * of_value));
}

TEST(ShootingProblem, PredictsAtNodesWithoutTrajectories) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  std::vector<ShootingProblem::Predicted> predicted;
  ASSERT_TRUE(problem->predict(test::generic_point(problem->layout()), {}, predicted).ok);
  EXPECT_EQ(problem->work().trajectories, 0);
}

TEST(ShootingProblem, SaysOfMeasurementsWithItsValuesWhatItPredicts) {
  const test::Sample sample{"", test::predator_prey(), model::SingleInterval{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = test::generic_point(problem->layout());
  nlp::Blocks blocks;
  std::vector<ShootingProblem::Predicted> with_values, alone;
  ASSERT_TRUE(problem->values(q, {}, blocks, with_values).ok);
  ASSERT_TRUE(problem->predict(q, {}, alone).ok);
  ASSERT_EQ(with_values.size(), sample.problem.measurements.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(with_values[i].simulation, alone[i].simulation);
    EXPECT_EQ(with_values[i].sigma, alone[i].sigma);
  }
  EXPECT_EQ(blocks.objective, blocks_at(*problem, q).objective);
}

TEST(ShootingProblem, LaysOutTheUnknowns) {
  const test::Sample sample{"", test::rich_problem(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Layout& layout = problem->layout();
  EXPECT_EQ(layout.thetas, 4);  // a, b, noise, and the bounded initial value of w
  ASSERT_EQ(layout.chains.size(), 2u);
  EXPECT_EQ(layout.chains[0].size, (std::vector<int>{1, 2, 2, 2, 2}));  // t = 0, 0.4, 1, 1.7, 2.5
  EXPECT_EQ(layout.chains[1].size, (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(layout.unknowns, 4 + 9 + 5);
  EXPECT_NEAR(layout.lower[1], -2, 1e-15);  // of log10 b
  EXPECT_NEAR(layout.upper[1], std::log10(20.0), 1e-15);
  EXPECT_EQ(layout.lower[3], 0.1);
  EXPECT_EQ(layout.upper[3], 3);
  EXPECT_EQ(layout.lower[0], -INFINITY);
}

TEST(ShootingProblem, KnowsTheParametersAndStartOfEachExperiment) {
  const test::Sample sample{"", test::rich_problem(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Layout& layout = problem->layout();
  nlp::Point q(layout.unknowns, 0.3);
  const double a = 1.4;
  const double b = 0.6;
  q[0] = std::log(a);
  q[1] = std::log10(b);
  q[3] = 0.55;
  q[layout.chains[0].offset[0]] = std::log(0.9);
  q[layout.chains[1].offset[0]] = 0.35;
  const std::vector<double> one = problem->node_state(0, 0, q);
  EXPECT_NEAR(one[0], 0.9, 1e-15);
  EXPECT_NEAR(one[1], 0.55, 1e-15);
  const std::vector<double> two = problem->node_state(1, 0, q);
  EXPECT_NEAR(two[0], a * 1.5, 1e-14);  // a*b, with b set to 1.5 in this experiment
  EXPECT_NEAR(two[1], 0.35, 1e-15);
  EXPECT_EQ(problem->node_state(1, 1, q), (std::vector<double>{0.3, 0.3}));
}

TEST(ShootingProblem, AMeasurementAtANodeReadsTheNode) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = test::generic_point(problem->layout());
  std::vector<ShootingProblem::Predicted> predicted;
  ASSERT_TRUE(problem->predict(q, {}, predicted).ok);
  for (int j = 0; j <= 10; ++j) {
    const std::vector<double> s = problem->node_state(0, j, q);
    EXPECT_EQ(predicted[2 * j].simulation, s[0]) << j;
    EXPECT_EQ(predicted[2 * j + 1].simulation, s[1]) << j;
    EXPECT_EQ(predicted[2 * j].sigma, 0.05);
  }
}

TEST(ShootingProblem, TheObjectiveIsMinusTheLogarithmOfLikelihoodTimesPrior) {
  const test::Sample sample{"", test::rich_problem(), model::IntervalCount{3}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = test::generic_point(problem->layout());
  std::vector<ShootingProblem::Predicted> predicted;
  ASSERT_TRUE(problem->predict(q, {}, predicted).ok);
  double expected = 0;
  for (int i = 0; i < static_cast<int>(predicted.size()); ++i) expected -= problem->noise_row(i, predicted[i]).llh;
  const auto normal = [](double x, double location, double spread) {
    return 0.5 * std::pow((x - location) / spread, 2) + std::log(spread) + 0.5 * std::log(2 * M_PI);
  };
  expected += normal(std::exp(q[0]), 1.1, 0.4);                             // of a, on its value
  expected += normal(q[problem->layout().chains[0].offset[0]], -0.1, 0.5);  // of log u(0), on its scale
  EXPECT_NEAR(blocks_at(*problem, q).objective, expected, 1e-12 * std::abs(expected));
}

TEST(ShootingProblem, TheGapIsRelativeToTheLargestNodeValue) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = test::generic_point(problem->layout());
  const nlp::Blocks blocks = blocks_at(*problem, q);
  double expected = 0;
  for (int i = 0; i < 2; ++i) {
    double size = 0;
    double gap = 0;
    for (int j = 0; j <= 10; ++j) size = std::max(size, std::abs(problem->node_state(0, j, q)[i]));
    for (int j = 0; j < 10; ++j) gap = std::max(gap, std::abs(blocks.chains[0].links[j].gap[i]));
    expected = std::max(expected, gap / size);
  }
  EXPECT_NEAR(blocks.gap, expected, 1e-15);
}

TEST(ShootingProblem, SaysWhereATrajectoryFails) {
  const test::Sample single{"", test::predator_prey(), model::SingleInterval{}};
  const auto problem = test::lay_out(single, {});
  const nlp::Point q{0.5, 0.5, 0.5, -0.2, 0.4, 1, 1, 1};
  nlp::Blocks blocks;
  const nlp::Evaluation done = problem->values(q, blocks);
  EXPECT_FALSE(done.ok);
  EXPECT_NE(done.trouble.find("t = 3.306"), std::string::npos) << done.trouble;
}

TEST(ShootingProblem, SaysWhichNoiseIsNotPositive) {
  const test::Sample sample{"", test::rich_problem(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  nlp::Point q = test::generic_point(problem->layout());
  q[2] = -0.3;  // the noise itself
  nlp::Blocks blocks;
  const nlp::Evaluation done = problem->values(q, blocks);
  EXPECT_FALSE(done.ok);
  EXPECT_NE(done.trouble.find("noise of 'first'"), std::string::npos) << done.trouble;
}

TEST(ShootingProblem, CountsItsWork) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {.derivatives = model::Derivatives::tangent});
  const nlp::Point q = test::generic_point(problem->layout());
  blocks_at(*problem, q);
  nlp::Gradients gradients;
  ASSERT_TRUE(problem->adjoint(q, {.penalty = 2}, gradients).ok);
  const WorkCount work = problem->work();
  EXPECT_EQ(work.trajectories, 20);
  EXPECT_EQ(work.tangents, 10 * (2 + 4));
  EXPECT_EQ(work.adjoints, 10);
  EXPECT_GT(work.rhs, 20 * 6);
}

// States that all follow the first one, with `terms` parameters.
model::Problem polynomial(int states, int terms) {
  test::Equations equations;
  for (int i = 0; i < states; ++i) {
    std::string formula = "-x0";
    for (int k = 0; k < terms; ++k) formula += fmt::format(" + a{}*x{}*sin(x0 + {})", k, (i + k) % states, k);
    equations.push_back({fmt::format("x{}", i), formula});
  }
  test::Builder builder(equations);
  for (int k = 0; k < terms; ++k) builder.parameter(fmt::format("a{}", k), test::estimated(0.1));
  builder.observable("y", "x0", "1");
  builder.experiment(model::default_experiment,
                     std::vector<std::variant<std::string, model::Estimated>>(states, test::estimated(1)));
  for (int j = 0; j <= 4; ++j) builder.measure(0, 0, j, 1);
  return builder.build();
}

TEST(ShootingProblem, ChoosesTangentsOrAdjointsByCountedWork) {
  const auto chosen = [](const model::Problem& problem, const model::Nodes& nodes) {
    const ShootingProblem shooting(problem, compile::compile(problem), make_grids(problem, nodes), {});
    EXPECT_NE(shooting.why_derivatives(), "");
    return shooting.derivatives_in_use();
  };
  // Backward: one sweep for each state and for each of four rows inside. Forward: one for each state and parameter.
  EXPECT_EQ(chosen(polynomial(3, 1), model::SingleInterval{}), model::Derivatives::tangent);
  EXPECT_EQ(chosen(polynomial(3, 40), model::SingleInterval{}), model::Derivatives::adjoint);
  EXPECT_EQ(chosen(polynomial(3, 1), model::NodesAtMeasurements{}), model::Derivatives::adjoint);
}

}  // namespace
}  // namespace salvo::shooting
