#include "fit/draw_data.hpp"

#include "fits.hpp"

namespace salvo::fit {
namespace {

model::Problem three_values(model::Censored last) {
  test::Builder builder = test::decay(test::estimated(1), std::string("1"));
  builder.measure(0, 0, 1, 5).measure(0, 0, 2, 6).measure(0, 0, 3, 0.3);
  model::Problem problem = builder.build();
  problem.measurements[2].censored = last;
  return problem;
}
std::vector<Prediction> predictions(const std::vector<double>& means) {
  std::vector<Prediction> out;
  for (std::size_t k = 0; k < means.size(); ++k)
    out.push_back({.row = static_cast<int>(k), .simulation = means[k], .sigma = 0.1, .noise = 0.1});
  return out;
}

TEST(DrawnData, AreThePredictionsThemselvesWithoutNoise) {
  model::Problem problem = three_values(model::Censored::no);
  DataDrawer(problem, predictions({1, 2, 3})).put_truth(problem);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(problem.measurements[k].value, k + 1);
}

// What an assay cannot see below 0.3, it cannot see of other values either.
TEST(DrawnData, BelowALimitAreCensoredAndAboveItAreNumbers) {
  model::Problem problem = three_values(model::Censored::below);
  DataDrawer(problem, predictions({1, 0.1, 3})).put_truth(problem);
  EXPECT_EQ(problem.measurements[0].censored, model::Censored::no);
  EXPECT_EQ(problem.measurements[1].censored, model::Censored::below);
  EXPECT_EQ(problem.measurements[1].value, 0.3);
  EXPECT_EQ(problem.measurements[2].censored, model::Censored::no);
  EXPECT_EQ(problem.measurements[2].value, 3);
}

// The mean of 1000 draws lies within 4 deviations of a mean.
TEST(DrawnData, ScatterByTheStatedNoise) {
  model::Problem problem = three_values(model::Censored::no);
  const DataDrawer drawer(problem, predictions({1, 2, 3}));
  Random random(5);
  double sum = 0, squares = 0;
  for (int n = 0; n < 1000; ++n) {
    drawer.draw(problem, random);
    const double off = problem.measurements[1].value - 2;
    sum += off;
    squares += off * off;
  }
  EXPECT_NEAR(sum / 1000, 0, 4 * 0.1 / std::sqrt(1000));
  EXPECT_NEAR(std::sqrt(squares / 1000), 0.1, 4 * 0.1 / std::sqrt(2000));
}

}  // namespace
}  // namespace salvo::fit
