#include "shooting/rows.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"
#include "shooting/pack_run.hpp"
#include "shooting/pass.hpp"
#include "shooting/row_writer.hpp"

namespace salvo::shooting {
namespace {

// y = (g - value) / sigma of predator and prey with sigma 0.05.
TEST(Rows, ObserveAStateThroughItsNoise) {
  const model::Problem problem = test::predator_prey();
  const auto model = compile::compile(problem);
  Observer observer(problem, *model, {});
  const std::vector<double> x{0.7, 1.1};
  const std::vector<double> p(model->parameters, 1.0);
  const Observed seen = observer.observe(0, x.data(), p.data(), true);
  EXPECT_TRUE(seen.row.ok);
  EXPECT_EQ(seen.g, 0.7);
  EXPECT_EQ(seen.sigma, 0.05);
  EXPECT_NEAR(seen.row.r_g, (0.7 - problem.measurements[0].value) / 0.05, 1e-12);
  ASSERT_EQ(seen.by_state.size(), 1u);
  EXPECT_EQ(seen.by_state[0], 1);
}

// d/d(v, theta) of 3 s_0 + 5 s_1 + 7 p_0, with s = (2 v_0, theta_0) and p_0 = 4 theta_1.
TEST(Rows, FollowTheChainRuleThroughANode) {
  const std::vector<double> state{0, 0};
  const std::vector<Slope> by_block{{0, 0, 2}};
  const std::vector<Slope> by_theta{{1, 0, 1}};
  const std::vector<Slope> p_by_theta{{0, 1, 4}};
  Matrix to_block(1, 1);
  Matrix to_theta(1, 2);
  chain_rule(NodeMap(state.data(), by_block, by_theta), p_by_theta, std::vector<double>{3, 5}, std::vector<double>{7},
             0, to_block, to_theta);
  EXPECT_EQ(to_block.data, (std::vector<double>{6}));
  EXPECT_EQ(to_theta.data, (std::vector<double>{5, 28}));
}

TEST(InnerRows, HaveTheirSlopesOneAfterTheOther) {
  InnerRows inner;
  inner.slopes = {{0, 1.5}, {1, 2.5}, {0, 3.5}};
  inner.rows = {{.stop = 0, .row = 0, .slopes_end = 2}, {.stop = 1, .row = 1, .slopes_end = 3}};
  EXPECT_EQ(inner.slopes_of(0).size(), 2u);
  EXPECT_EQ(inner.slopes_of(1)[0].value, 3.5);
  inner.clear();
  EXPECT_TRUE(inner.rows.empty());
}

// A row at a node stands in the blocks as it is; its derivative by the node's unknowns is 1/sigma.
TEST(RowWriter, WritesWhatIsMeasuredAtANode) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {.engine = {.code = Code::interpreted}});
  const nlp::Point q = test::generic_point(problem->layout());
  nlp::Blocks blocks;
  ASSERT_TRUE(problem->linearize(q, blocks).ok);
  PassRoom room;
  room.experiments = {problem->values_of(0, q, true)};
  room.objective = {0};
  nlp::Blocks written = blocks;
  nlp::Rows& rows = written.chains[0].rows[3];
  rows.r.assign(2, 0.0);
  rows.by_block.resize(2, 2);
  Pass pass{.q = q, .request = {}, .room = room, .blocks = &written, .jacobians = true};
  pass.model = &problem->model();
  Workspace workspace;
  RowWriter writer(*problem, pass, workspace);
  const int first = 2 * 3;  // of t = 3
  for (const int n : {0, 1})
    ASSERT_TRUE(writer.write({.chain = 0, .j = 3, .slot = 0}, {.measurement = first + n, .row = n},
                             pass.node_state(problem->layout(), 0, 3)));
  EXPECT_EQ(rows.r, blocks.chains[0].rows[3].r);
  EXPECT_EQ(rows.by_block.data, (std::vector<double>{20, 0, 0, 20}));
}

}  // namespace
}  // namespace salvo::shooting
