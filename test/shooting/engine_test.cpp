#include "shooting/engine.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "helpers/samples.hpp"

namespace salvo::shooting {
namespace {

nlp::Blocks blocks_with_derivatives(const ShootingProblem& problem, const nlp::Point& q) {
  nlp::Blocks blocks;
  EXPECT_TRUE(problem.linearize(q, blocks).ok);
  return blocks;
}

TEST(Engine, CountsTheWorkOfAllNodesTogether) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto fine = test::lay_out(sample, {});
  blocks_with_derivatives(*fine, test::generic_point(fine->layout()));
  const auto coarse = fine->on(make_grids(sample.problem, model::IntervalCount{2}));
  EXPECT_EQ(coarse->work_on_these_nodes().trajectories, 0);
  blocks_with_derivatives(*coarse, test::generic_point(coarse->layout()));
  EXPECT_EQ(coarse->work_on_these_nodes().trajectories, 2);
  EXPECT_EQ(fine->work().trajectories, 10 + 2);
  EXPECT_EQ(fine->work().rhs, coarse->work().rhs);
}

TEST(Engine, ChargesEveryStageToItsLedger) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  Ledger ledger;
  const auto problem = test::lay_out(sample, {.engine = {.ledger = &ledger}});
  const nlp::Point q = test::generic_point(problem->layout());
  blocks_with_derivatives(*problem, q);
  const double of_stage = problem->model().rhs.instruction_count() + Rules{}.stage_overhead;
  EXPECT_EQ(ledger.spent(), static_cast<double>(problem->work().rhs) * of_stage);
  nlp::Blocks blocks;
  ASSERT_TRUE(problem->on(make_grids(sample.problem, model::SingleInterval{}))
                  ->values(nlp::Point(q.begin(), q.begin() + 6), blocks)
                  .ok);
  EXPECT_EQ(ledger.spent(), static_cast<double>(problem->work().rhs) * of_stage);
}

TEST(Engine, SharesMachineCodeBetweenNodes) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {.engine = {.code = Code::native}});
  blocks_with_derivatives(*problem, test::generic_point(problem->layout()));
  EXPECT_TRUE(problem->engine()->code_in_words().starts_with("machine code for 4 lanes"));
  const auto other = problem->on(make_grids(sample.problem, model::IntervalCount{3}));
  EXPECT_EQ(other->engine(), problem->engine());
}

// What was never interpreted rounds as it always did, however much code was made.
TEST(Engine, TellsCodeThatReplacesFromCodeThatWasThereFirst) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto at_once = test::lay_out(sample, {.engine = {.code = Code::native}});
  blocks_with_derivatives(*at_once, test::generic_point(at_once->layout()));
  EXPECT_GE(at_once->engine()->code_changes(), 1);
  EXPECT_EQ(at_once->engine()->replaced_codes(), 0);
  EXPECT_FALSE(at_once->engine()->has_interpreted());

  const auto later = test::lay_out(sample, {.engine = {.code = Code::native}});
  later->engine()->stand_at({}, true, false);
  blocks_with_derivatives(*later, test::generic_point(later->layout()));
  EXPECT_TRUE(later->engine()->has_interpreted());
  later->engine()->stand_at(later->work(), false, true);
  blocks_with_derivatives(*later, test::generic_point(later->layout()));
  EXPECT_EQ(later->engine()->replaced_codes(), later->engine()->code_changes());
}

TEST(Engine, PacksTrajectoriesAnewWhereLanesStandIdle) {
  const model::Problem problem = test::predator_prey();
  Engine engine(compile::compile(problem), {});
  engine.learn_packing({90, 1, 2, 80, 3, 70, 4, 60}, 4);
  ASSERT_NE(engine.packing(8), nullptr);
  EXPECT_EQ(*engine.packing(8), (Packing{0, 3, 5, 7, 6, 4, 2, 1}));
  EXPECT_EQ(engine.packing(7), nullptr) << "those are trajectories of another problem";
}

// Blocks, values and gradients of one point, from several threads at once and after others have been asked for.
TEST(Engine, GivesTheSameBitsToEveryThread) {
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const auto problem = test::lay_out(sample, {});
    const nlp::Point q = test::generic_point(problem->layout());
    const nlp::Point other = test::generic_point(problem->layout(), 77);
    const auto evaluate = [&](bool others_first) {
      nlp::Blocks blocks;
      nlp::Gradients gradients;
      if (others_first) problem->values(other, blocks);
      std::vector<double> numbers;
      EXPECT_TRUE(problem->linearize(q, blocks).ok);
      for (const nlp::ChainBlocks& chain : blocks.chains) {
        for (const nlp::Rows& rows : chain.rows) {
          numbers.insert(numbers.end(), rows.r.begin(), rows.r.end());
          numbers.insert(numbers.end(), rows.by_theta.data.begin(), rows.by_theta.data.end());
        }
        for (const nlp::Link& link : chain.links)
          numbers.insert(numbers.end(), link.by_block.data.begin(), link.by_block.data.end());
      }
      EXPECT_TRUE(problem->adjoint(q, {.penalty = 2}, gradients).ok);
      numbers.insert(numbers.end(), gradients.objective_by_q.begin(), gradients.objective_by_q.end());
      EXPECT_TRUE(problem->values(q, blocks).ok);
      numbers.push_back(blocks.objective);
      return numbers;
    };
    const std::vector<double> expected = evaluate(false);
    std::vector<std::vector<double>> found(4);
    std::vector<std::thread> threads;
    for (std::size_t n = 0; n < found.size(); ++n) threads.emplace_back([&, n] { found[n] = evaluate(n % 2 == 0); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& numbers : found) EXPECT_EQ(numbers, expected);
  }
}

}  // namespace
}  // namespace salvo::shooting
