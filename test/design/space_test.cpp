#include "design/space.hpp"

#include <gtest/gtest.h>

namespace salvo::design {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Space, MakesAllInformationOne) {
  MatrixXd known(1, 3);
  known << 1, 2e6, 0;
  MatrixXd row(2, 3);
  row << 3, -1e6, 1e-4, 2, 5e5, 2e-4;
  const Space space = space_of(known, {row});
  EXPECT_EQ(space.unseen.cols(), 0);
  const MatrixXd a = known * space.to_z, b = row * space.to_z;
  EXPECT_LT((a.transpose() * a + b.transpose() * b - MatrixXd::Identity(3, 3)).norm(), 1e-10);
}

TEST(Space, LeavesOutWhatNobodySees) {
  MatrixXd rows(2, 3);  // the second and the third only by their sum
  rows << 1, 2, 2, 3, -1, -1;
  const Space space = space_of(MatrixXd(0, 3), {rows});
  EXPECT_EQ(space.to_z.cols(), 2);
  EXPECT_NEAR(unseen_part(space, Eigen::Vector3d(1, 0, 0)), 0, 1e-12);
  EXPECT_NEAR(unseen_part(space, Eigen::Vector3d(0, 1, 1)), 0, 1e-12);
  EXPECT_NEAR(unseen_part(space, Eigen::Vector3d(0, 1, -1)), 1, 1e-12);
}

TEST(Told, IsTheInverseWhereAllIsSeen) {
  MatrixXd rows(2, 2);
  rows << 2, 1, 0, 1e-5;
  const Told told = told_by(rows, VectorXd::Ones(2));
  EXPECT_TRUE(told.seen[0] && told.seen[1]);
  EXPECT_NEAR(told.covariance(1, 1), 1e10, 10);
  EXPECT_NEAR(told.covariance(0, 0), 0.25 + 0.25e10, 10);
}

TEST(Told, NamesADirectionThatIsNotSeen) {
  MatrixXd rows(2, 3);  // x1*x2 is seen, where x1 = 2 and x2 = 4; and x3
  rows << 4, 2, 0, 0, 0, 1;
  const Told told = told_by(rows, Eigen::Vector3d(2, 4, 1));
  EXPECT_EQ(told.seen, (std::vector<bool>{false, false, true}));
  ASSERT_EQ(told.null_directions.size(), 1U);
  const auto& direction = told.null_directions[0];  // by as many per cent up as down
  EXPECT_NEAR(direction[0] / 2, -direction[1] / 4, 1e-12);
  EXPECT_NEAR(direction[2], 0, 1e-12);
  EXPECT_NEAR(told.covariance(2, 2), 1, 1e-12);
}

}  // namespace
}  // namespace salvo::design
