#include <gtest/gtest.h>

#include "flight.hpp"
#include "helpers/differences.hpp"
#include "integrate/built_in.hpp"
#include "stiff_problems.hpp"

// A second opinion: two methods that share nothing but the formulas.
namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;

struct Case {
  std::shared_ptr<const compile::CompiledModel> model;
  Lane lane;
  model::Integrator other;
  model::Integrator own;
};

std::vector<Case> cases() {
  const model::Cvodes bdf{.rtol = 1e-10};
  const model::Cvodes adams{.rtol = 1e-10, .family = model::MultistepFamily::adams};
  return {{compile::compile(test::Robertson::problem()),
           {0, {0.4, 40, 4e3}, {1, 0, 0}, {0.04, 3e7, 1e4}},
           bdf,
           model::Rodas5p{.rtol = 1e-10}},
          {compile::compile(test::Follower::problem()),
           {0.2, {0.9, 2}, {0.3, 0.8}, {1e4, 2, 0.5}},
           bdf,
           model::Rodas5p{.rtol = 1e-10}},
          {compile::compile(test::predator_prey()),
           {0, {2, 5}, {0.6, 1.4}, {0.9, 1.1, 0.8, 1.2}},
           adams,
           model::Dopri5{.rtol = 1e-10}}};
}

bool is_built_in() {
  Flight<1> flight(compile::compile(test::predator_prey()), model::Cvodes{}, {{0, {1}, {1, 1}, {1, 1, 1, 1}}});
  flight.integrate();
  return flight.record.ending[0].outcome != Outcome::not_built_in;
}

TEST(Cvodes, AgreesWithOurMethodsOnStatesAndDerivatives) {
  if (!is_built_in()) GTEST_SKIP() << "built without SUNDIALS";
  for (const Case& each : cases()) {
    Flight<1> theirs(each.model, each.other, {each.lane});
    Flight<1> ours(each.model, each.own, {each.lane});
    theirs.integrate();
    ours.integrate();
    const int d = each.model->states;
    const int columns = d + each.model->active;
    const int stops = static_cast<int>(each.lane.stops.size());
    const auto their_tangents = theirs.tangents()[0];
    const auto our_tangents = ours.tangents()[0];
    std::vector<std::vector<double>> weights(stops, std::vector<double>(d));
    for (int k = 0; k < stops; ++k) {
      for (int i = 0; i < d; ++i) {
        weights[k][i] = 1 + 0.3 * k - 0.2 * i;
        EXPECT_LE(test::relative_error(theirs.at_stop(0, k)[i], ours.at_stop(0, k)[i], 1e-6), 1e-6);
        for (int c = 0; c < columns; ++c) {
          double size = 0;
          for (int n = 0; n < d; ++n) size = std::max(size, std::abs(our_tangents[k][n + c * d]));
          EXPECT_LE(test::relative_error(their_tangents[k][i + c * d], our_tangents[k][i + c * d], size), 1e-5)
              << "stop " << k << ", state " << i << ", column " << c;
        }
      }
    }
    const auto their_adjoint = theirs.adjoints({weights})[0][0];
    const auto our_adjoint = ours.adjoints({weights})[0][0];
    for (int c = 0; c < columns; ++c) {
      double size = 0;  // of what is added up
      for (int k = 0; k < stops; ++k)
        for (int i = 0; i < d; ++i) size = std::max(size, std::abs(weights[k][i] * our_tangents[k][i + c * d]));
      EXPECT_LE(test::relative_error(their_adjoint[c], our_adjoint[c], size), 1e-4) << "column " << c;
    }
  }
}

TEST(Cvodes, SaysWhereItFails) {
  if (!is_built_in()) GTEST_SKIP() << "built without SUNDIALS";
  Flight<1> flight(compile::compile(test::predator_prey()), model::Cvodes{},
                   {{0, {10}, {0.4, 1}, {0.5, 0.5, 0.5, -0.2}}});
  flight.integrate();
  EXPECT_FALSE(flight.record.ending[0].ok());
  EXPECT_NEAR(flight.record.ending[0].time, 3.3064, 1e-2);
}

}  // namespace
}  // namespace salvo::integrate
