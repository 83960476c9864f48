#include "words/worst_gap.hpp"

#include "helpers/problems.hpp"
#include "start/start.hpp"

namespace salvo::words {
namespace {

TEST(TheWorstGap, IsNamedByStateTimeAndInterval) {
  test::Builder builder({{"x1", "-k*x1"}, {"x2", "x1 - k*x2"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x2", "0.1");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("1")});
  for (int j = 1; j <= 10; ++j) builder.measure(0, 0, j, 1);
  const model::Problem problem = builder.build();
  const shooting::ShootingProblem shooting(problem, compile::compile(problem),
                                           shooting::make_grids(problem, model::IntervalCount{5}),
                                           {.integrator = model::Dopri5{}});
  nlp::Point q = start::start_point(shooting, model::StartValues::simulate).q;
  q[shooting.layout().chains[0].offset[3] + 1] += 10;  // x2 at the third node, t = 6
  EXPECT_EQ(worst_gap_in_words(shooting, q), "x2 at t = 6, between intervals 3 and 4 of 5");
}

TEST(TheWorstGap, NamesTheExperimentWhereThereAreSeveral) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x", "0.1");
  for (const char* id : {"low", "high"}) builder.experiment(id, {std::string("1")});
  for (int e = 0; e < 2; ++e)
    for (int j = 1; j <= 4; ++j) builder.measure(e, 0, j, std::exp(-j));
  const model::Problem problem = builder.build();
  const shooting::ShootingProblem shooting(problem, compile::compile(problem),
                                           shooting::make_grids(problem, model::IntervalCount{2}),
                                           {.integrator = model::Dopri5{}});
  nlp::Point q = start::start_point(shooting, model::StartValues::data).q;
  q[shooting.layout().chains[1].offset[2]] += 1e3;
  EXPECT_EQ(worst_gap_in_words(shooting, q), "x at t = 4, the end of interval 2 of 2 of experiment 'high'");
}

}  // namespace
}  // namespace salvo::words
