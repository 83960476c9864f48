#include <ctime>

#include "estimate/answer/predictions.hpp"
#include "fits.hpp"
#include "pictures/sample.hpp"
#include "start/start.hpp"

// Experiments in such numbers that whatever looks at all of them for each of them shows.
namespace salvo::fit {
namespace {

// x' = s - k x from 2, with another s in each experiment.
model::Problem decays(int experiments) {
  test::Builder builder(test::Equations{{"x", "s - k*x"}});
  builder.parameter("k", test::estimated(0.5)).parameter("s", 1.0).observable("seen", "x", "0.05");
  for (int e = 0; e < experiments; ++e) {
    const double s = 0.5 + 1.0 * e / experiments;
    builder.experiment("e" + std::to_string(e), {std::string("2")}, {{1, std::to_string(s)}});
    for (int j = 1; j <= 5; ++j) builder.measure(e, 0, j, s / 0.7 + (2 - s / 0.7) * std::exp(-0.7 * j));
  }
  return builder.build();
}

double processor_seconds_of_check(const model::Problem& problem) {
  const std::clock_t begin = std::clock();
  for (const Finding& finding : check(problem, {})) EXPECT_NE(finding.level, Finding::Level::trouble) << finding.text;
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(ManyExperiments, AreCheckedInATimeThatGrowsAsTheirNumber) {
  const model::Problem few = decays(500);
  const model::Problem many = decays(4000);
  const double of_few = std::min(processor_seconds_of_check(few), processor_seconds_of_check(few));
  EXPECT_LT(processor_seconds_of_check(many), 20 * of_few);  // eight times as many; by their square it would be 64
}

// All of them are written down, so of many each is drawn with fewer points.
TEST(ManyExperiments, AreDrawnWithPointsThatCanBeWrittenDown) {
  const auto points_of_a_curve = [](int experiments) {
    const model::Problem problem = decays(experiments);
    const shooting::ShootingProblem shooting(problem, compile::compile(problem),
                                             shooting::make_grids(problem, model::SingleInterval{}), {});
    std::size_t points = 0;
    for (const Arc& arc : pictures::sample_arcs(shooting, start::start_point(shooting, model::StartValues::simulate).q))
      points += arc.time.size();
    return points / experiments;
  };
  EXPECT_GE(points_of_a_curve(10), 200u);
  EXPECT_LE(points_of_a_curve(4000), 60u);
}

}  // namespace
}  // namespace salvo::fit
