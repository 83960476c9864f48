#include <algorithm>

#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

using test::fit_of;

model::Problem decay() {
  const formats::Folder folder({{"decay.yaml",
                                 "equations:\n  x: -k*x\ninitial:\n  x: {guess: 2}\nparameters:\n"
                                 "  k: {guess: 0.5, scale: log}\nobservables:\n"
                                 "  twice: {formula: 2*x, noise: 0.1}\n  rate: {formula: k*x, noise: 0.1}\n"
                                 "data: decay.csv\nshooting: {nodes: measurements}\n"},
                                {"decay.csv", "time,twice,rate\n0.5,3.2,0.9\n1,2.4,0.8\n2,1.5,0.4\n4,0.5,0.2\n"}});
  return *formats::read_problem(folder / "decay.yaml");
}

// x = a e^(-kt): the gradients by (k, a) of 2x are 2 e^(-kt) (-at, 1), those of kx are e^(-kt) (a - akt, k).
TEST(Bands, AreWhatTheCovarianceLeavesOfTheClosedForm) {
  const FitResult result = fit_of(decay());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double k = result.parameters[0].estimate;
  const double a = result.initial[0].estimate;
  const auto deviation = [&](double by_k, double by_a) {
    const Matrix& c = result.covariance;
    return std::sqrt(by_k * by_k * c(0, 0) + 2 * by_k * by_a * c(0, 1) + by_a * by_a * c(1, 1));
  };
  ASSERT_FALSE(result.solution_arcs.empty());
  for (const Arc& arc : result.solution_arcs) {
    ASSERT_EQ(arc.band.deviation.cols, static_cast<int>(arc.time.size()));
    for (int i : {0, arc.band.deviation.cols - 1}) {  // nodes; between them the deviations are interpolated
      const double t = arc.time[static_cast<std::size_t>(i)];
      const double e = std::exp(-k * t);
      EXPECT_NEAR(arc.band.deviation(0, i), deviation(-2 * a * t * e, 2 * e), 1e-6);
      EXPECT_NEAR(arc.band.deviation(1, i), deviation((a - a * k * t) * e, k * e), 1e-6);
    }
    const int middle = arc.band.deviation.cols / 2;
    const double t = arc.time[static_cast<std::size_t>(middle)];
    EXPECT_NEAR(arc.band.deviation(0, middle), deviation(-2 * a * t * std::exp(-k * t), 2 * std::exp(-k * t)), 1e-4);
  }
}

double last_of(const Arc& arc, int observable) { return arc.observables(observable, arc.observables.cols - 1); }

// Everywhere the largest jump from one arc to the next.
double largest_jump(const std::vector<Arc>& arcs) {
  double largest = 0;
  for (std::size_t k = 1; k < arcs.size(); ++k)
    for (int o = 0; o < arcs[k].observables.rows; ++o)
      largest = std::max(largest, std::abs(arcs[k].observables(o, 0) - last_of(arcs[k - 1], o)));
  return largest;
}

TEST(Film, GoesFromTheBrokenStartToTheJoinedSolution) {
  const FitResult result = fit_of(test::predator_prey(), {.nodes = model::NodesAtMeasurements{}});
  ASSERT_EQ(result.film.size(), static_cast<std::size_t>(result.iterations) + 1);
  EXPECT_GT(largest_jump(result.film.front().arcs), 0.1);
  EXPECT_LT(largest_jump(result.film.back().arcs), 1e-6);
  ASSERT_EQ(result.film.front().arcs.size(), result.start_arcs.size());
  ASSERT_EQ(result.film.back().arcs.size(), result.solution_arcs.size());
  for (std::size_t k = 0; k < result.start_arcs.size(); ++k) {
    EXPECT_NEAR(last_of(result.film.front().arcs[k], 0), last_of(result.start_arcs[k], 0), 1e-7);
    EXPECT_NEAR(last_of(result.film.back().arcs[k], 0), last_of(result.solution_arcs[k], 0), 1e-7);
  }
}

// Nodes that choose themselves are merged on the way: each frame lies on the grid of its own run.
TEST(Film, FollowsAChangeOfNodes) {
  model::Problem problem = test::predator_prey();
  const FitResult result = fit_of(problem, {.nodes = model::AutoNodes{}});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  ASSERT_GE(result.film.size(), 2U);
  EXPECT_EQ(result.film.front().arcs.size(), result.start_arcs.size());
  for (std::size_t k = 0; k < result.start_arcs.size(); ++k)
    EXPECT_NEAR(last_of(result.film.front().arcs[k], 0), last_of(result.start_arcs[k], 0), 1e-7);
}

}  // namespace
}  // namespace salvo::fit
