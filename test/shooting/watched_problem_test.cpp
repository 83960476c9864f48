#include "shooting/watched_problem.hpp"

#include <gtest/gtest.h>

#include "helpers/allocations.hpp"
#include "helpers/samples.hpp"

namespace salvo::shooting {
namespace {

struct Watched {
  test::Sample sample{"", test::predator_prey(), model::SingleInterval{}};
  std::unique_ptr<ShootingProblem> problem = test::lay_out(sample, {});
  LastValues last{};
  WatchedProblem watched{*problem, last};
  nlp::Point q = test::generic_point(problem->layout());

  std::vector<double> simulations(const nlp::Request& request = {}) {
    std::vector<ShootingProblem::Predicted> predicted;
    EXPECT_TRUE(predict(*problem, q, request, last, predicted).ok);
    std::vector<double> numbers;
    for (const auto& of_row : predicted) numbers.push_back(of_row.simulation);
    return numbers;
  }
};

TEST(WatchedProblem, PredictsWhereItHasJustBeenWithoutTrajectoriesOrCopies) {
  Watched at;
  nlp::Blocks blocks;
  ASSERT_TRUE(at.watched.values(at.q, {}, blocks).ok);
  const long before = at.problem->work().trajectories;
  std::vector<ShootingProblem::Predicted> predicted;
  const long allocations = test::allocations();
  ASSERT_TRUE(predict(*at.problem, at.q, {}, at.last, predicted).ok);
  EXPECT_EQ(test::allocations(), allocations);
  EXPECT_EQ(at.problem->work().trajectories, before);
  std::vector<ShootingProblem::Predicted> anew;
  ASSERT_TRUE(at.problem->predict(at.q, {}, anew).ok);
  for (std::size_t i = 0; i < anew.size(); ++i) EXPECT_EQ(predicted[i].simulation, anew[i].simulation);
}

TEST(WatchedProblem, PredictsAnewWhereItHasNotBeen) {
  Watched at;
  nlp::Blocks blocks;
  ASSERT_TRUE(at.watched.values(at.q, {}, blocks).ok);
  const std::vector<double> rough = at.simulations({.accuracy = 1e-3});
  const std::vector<double> here = at.simulations();
  EXPECT_NE(rough, here);
  ASSERT_TRUE(at.watched.values(at.q, {}, blocks).ok);
  at.q[0] *= 1.01;
  EXPECT_NE(at.simulations(), here);
}

}  // namespace
}  // namespace salvo::shooting
