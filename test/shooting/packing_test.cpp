#include "shooting/packing.hpp"

#include <gtest/gtest.h>

#include <string>

#include "helpers/problems.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {
namespace {

TEST(Packing, PutsIntervalsOfLikeLengthSideBySide) {
  const std::vector<int> steps{1, 90, 2, 80, 3, 70, 4, 60};
  EXPECT_EQ(steps_of_packs(steps, {}, 4), 90 + 70);
  const Packing packing = pack_by_steps(steps);
  EXPECT_EQ(packing, (Packing{1, 3, 5, 7, 6, 4, 2, 0}));
  EXPECT_EQ(steps_of_packs(steps, packing, 4), 90 + 4);
}

TEST(Packing, LeavesThePlanAloneWhereAllAreAlike) {
  EXPECT_EQ(pack_by_steps({5, 5, 5}), (Packing{0, 1, 2}));
  EXPECT_EQ(steps_of_packs({5, 5, 5}, {}, 4), 5);
}

// The first evaluation flies as planned, the second in packs by the steps that the first took, with the same bits.
TEST(Packing, ChangesNoBit) {
  test::Builder builder(test::Equations{{"x", "k*(y - x)"}, {"y", "-k*x*y"}});
  builder.parameter("k", test::estimated(0.7)).observable("seen", "x", "0.1");
  for (int e = 0; e < 9; ++e) {
    builder.experiment("e" + std::to_string(e), {std::string("0"), std::to_string(1 + e)});
    for (int n = 1; n <= 3; ++n) builder.measure(e, 0, n * (e % 2 == 0 ? 0.1 : 20.0), 0.5);
  }
  const model::Problem problem = builder.build();
  for (const model::Integrator& integrator :
       {model::Integrator(model::Dopri5{}), model::Integrator(model::Rodas5p{})}) {
    const auto gradients = [&](int lanes) {
      const ShootingProblem shooting(problem, compile::compile(problem), make_grids(problem, model::SingleInterval{}),
                                     {.integrator = integrator, .lanes = lanes, .engine = {.code = Code::interpreted}});
      std::vector<std::vector<double>> out;
      for (int pass = 0; pass < 3; ++pass) {
        nlp::Gradients gradients;
        EXPECT_TRUE(shooting.adjoint({0.7}, {}, gradients).ok);
        out.push_back({gradients.objective, gradients.objective_by_q[0]});
      }
      return out;
    };
    const auto alone = gradients(1);
    for (const auto& pass : gradients(4)) EXPECT_EQ(pass, alone[0]);
  }
}

TEST(Packing, TwoTrajectoriesShareAPackAndOneFliesAlone) {
  for (const int experiments : {1, 2, 3}) {
    test::Builder builder(test::Equations{{"x", "-k*x"}});
    builder.parameter("k", test::estimated(0.7)).observable("seen", "x", "0.1");
    for (int e = 0; e < experiments; ++e)
      builder.experiment("e" + std::to_string(e), {std::string("1")}).measure(e, 0, 1, 0.5);
    const model::Problem problem = builder.build();
    const ShootingProblem shooting(problem, compile::compile(problem), make_grids(problem, model::SingleInterval{}),
                                   {});
    EXPECT_EQ(shooting.options().lanes, experiments == 1 ? 1 : 4);
  }
}

}  // namespace
}  // namespace salvo::shooting
