#include <gtest/gtest.h>

#include "flown.hpp"
#include "helpers/problems.hpp"

namespace salvo::integrate {
namespace {

using test::expect_same;
using test::Flight;
using test::Flown;
using test::Lane;
using test::various_lanes;

template <int W>
std::vector<Flown> fly(const model::Integrator& integrator, const std::vector<Lane>& chosen) {
  return test::fly<W>(compile::compile(test::predator_prey()), integrator, chosen);
}

TEST(Lanes, DoNotDependOnTheirNeighbours) {
  for (const model::Integrator& integrator :
       {model::Integrator(model::Rk4{0.03}), model::Integrator(model::Dopri5{1e-6, 1e-8}),
        model::Integrator(model::Rodas5p{1e-6})}) {
    std::vector<Flown> alone;
    for (const Lane& lane : various_lanes) alone.push_back(fly<1>(integrator, {lane})[0]);
    const std::vector<Flown> first_four = fly<4>(integrator, {various_lanes.begin(), various_lanes.begin() + 4});
    const std::vector<Flown> last_four = fly<4>(integrator, {various_lanes.begin() + 4, various_lanes.end()});
    for (std::size_t l = 0; l < 8; ++l) {
      SCOPED_TRACE(l);
      expect_same(alone[l], l < 4 ? first_four[l] : last_four[l - 4]);
    }
  }
}

TEST(Lanes, MayBePaddedAtTheEnd) {
  const model::Integrator integrator = model::Dopri5{};
  const std::vector<Flown> three_of_four = fly<4>(integrator, {various_lanes.begin(), various_lanes.begin() + 3});
  for (std::size_t l = 0; l < 3; ++l) expect_same(fly<1>(integrator, {various_lanes[l]})[0], three_of_four[l]);
}

// Buffers keep what the last integration left in them; nothing of it may show.
TEST(Lanes, ARecordCanBeUsedAgain) {
  const auto model = compile::compile(test::predator_prey());
  Flight<4> used(model, model::Dopri5{}, {various_lanes[3], various_lanes[6], various_lanes[1], various_lanes[7]});
  used.integrate();
  Flight<4> fresh(model, model::Dopri5{}, {various_lanes[0], various_lanes[1], various_lanes[2]});
  fresh.integrate();
  const auto expected = fresh.tangents();
  std::swap(fresh.record, used.record);
  fresh.integrate();
  EXPECT_EQ(fresh.tangents(), expected);
  EXPECT_EQ(fresh.adjoints({{{1, 2}, {3, 4}}}).size(), 3u);
}

}  // namespace
}  // namespace salvo::integrate
