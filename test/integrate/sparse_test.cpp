#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "flight.hpp"
#include "helpers/differences.hpp"
#include "helpers/problems.hpp"
#include "integrate/work.hpp"

// Large sparse models: a derivative reaches few states in a step, and products skip the others.
namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;

// A ring of sites, each driven by its neighbours and by a forcing of its own.
model::Problem ring(int sites) {
  test::Equations equations;
  for (int i = 0; i < sites; ++i)
    equations.push_back({fmt::format("x{}", i), fmt::format("(x{} - x{})*x{} - x{} + F{}", (i + 1) % sites,
                                                            (i + sites - 2) % sites, (i + sites - 1) % sites, i, i)});
  test::Builder builder(equations);
  for (int i = 0; i < sites; ++i) builder.parameter(fmt::format("F{}", i), test::estimated(8));
  builder.experiment(model::default_experiment,
                     std::vector<std::variant<std::string, model::Estimated>>(sites, test::estimated(1)));
  return builder.build();
}

Lane lane_of(int sites, double last_stop) {
  Lane lane{0, {0.03, last_stop}, {}, {}};
  for (int i = 0; i < sites; ++i) {
    lane.x0.push_back(2 + 3 * std::sin(1.7 * i));
    lane.p.push_back(8 + std::cos(2.3 * i));
  }
  return lane;
}

// d x(last stop) by (x0, p), once forwards and once as one backward sweep for each state.
template <int W>
void expect_both_sweeps_agree(const model::Integrator& integrator, int sites, std::vector<Lane> lanes) {
  Flight<W> flight(compile::compile(ring(sites)), integrator, std::move(lanes));
  flight.integrate();
  const auto tangents = flight.tangents();
  std::vector<std::vector<std::vector<double>>> weights(sites, {2, std::vector<double>(sites, 0.0)});
  for (int i = 0; i < sites; ++i) weights[i][1][i] = 1;
  ASSERT_TRUE(adjoints_share_jacobian(*flight.model, sites));
  const auto adjoints = flight.adjoints(weights);
  for (std::size_t l = 0; l < flight.lanes.size(); ++l)
    for (int i = 0; i < sites; ++i)
      for (int c = 0; c < 2 * sites; ++c)
        ASSERT_NEAR(adjoints[l][i][c], tangents[l][1][i + c * sites], 1e-12) << "lane " << l << ": " << i << ", " << c;
}

TEST(SparseDerivatives, ForwardsAndBackwardsAgreeBeforeAndAfterTheyHaveReachedEverything) {
  for (const int sites : {5, 40}) {
    SCOPED_TRACE(sites);
    expect_both_sweeps_agree<1>(model::Rk4{0.02}, sites, {lane_of(sites, 0.06)});
    expect_both_sweeps_agree<4>(model::Dopri5{1e-6, 1e-8}, sites,
                                {lane_of(sites, 0.05), lane_of(sites, 0.5), lane_of(sites, 0.1)});
  }
}

TEST(SparseDerivatives, AgreeWithDifferences) {
  const int sites = 30;
  const Lane lane = lane_of(sites, 0.08);
  const model::Integrator fixed = model::Rk4{0.01};  // its steps do not depend on the point
  const auto model = compile::compile(ring(sites));
  Flight<1> flight(model, fixed, {lane});
  flight.integrate();
  const auto tangents = flight.tangents();
  const double h = 1e-5;
  for (int c = 0; c < 2 * sites; ++c) {
    const auto end_at = [&](double change) {
      Lane shifted = lane;
      (c < sites ? shifted.x0[c] : shifted.p[c - sites]) += change;
      Flight<1> other(model, fixed, {shifted});
      other.integrate();
      return other.at_stop(0, 1);
    };
    const auto above = end_at(h);
    const auto below = end_at(-h);
    for (int i = 0; i < sites; ++i)
      ASSERT_NEAR(tangents[0][1][i + c * sites], (above[i] - below[i]) / (2 * h), 1e-8) << i << ", " << c;
  }
}

// Scalars that read several stops start at some states and meet others on the way; 23 of them fill no whole bundles.
TEST(SparseDerivatives, TakeInWhatIsInjectedOnTheWay) {
  const int sites = 23;
  Flight<4> flight(compile::compile(ring(sites)), model::Rk4{0.01},
                   {lane_of(sites, 0.06), lane_of(sites, 0.3), lane_of(sites, 0.04)});
  flight.integrate();
  const auto tangents = flight.tangents();
  std::vector<std::vector<std::vector<double>>> weights(sites, {2, std::vector<double>(sites, 0.0)});
  for (int i = 0; i < sites; ++i) weights[i][0][i] = 2, weights[i][1][(i + 12) % sites] = -3;
  const auto adjoints = flight.adjoints(weights);
  for (int l = 0; l < 3; ++l)
    for (int i = 0; i < sites; ++i)
      for (int c = 0; c < 2 * sites; ++c)
        ASSERT_NEAR(adjoints[l][i][c],
                    2 * tangents[l][0][i + c * sites] - 3 * tangents[l][1][(i + 12) % sites + c * sites], 1e-12);
}

}  // namespace
}  // namespace salvo::integrate
