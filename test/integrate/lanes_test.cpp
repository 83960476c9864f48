#include <gtest/gtest.h>

#include "flight.hpp"
#include "helpers/problems.hpp"

namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;

const std::vector<Lane> lanes{
    {0, {1, 2}, {0.6, 1.4}, {0.9, 1.1, 0.8, 1.2}}, {0.5, {8}, {1.6, 0.4}, {1.9, 1.1, 1.8, 1.2}},
    {0, {1e-3}, {0.1, 0.1}, {1, 1, 1, 1}},         {-3, {-2, 0, 0.1, 6}, {0.4, 2.4}, {0.5, 0.7, 0.8, 0.6}},
    {0, {3.2}, {0.4, 1}, {0.5, 0.5, 0.5, -0.2}},  // close to its pole
    {0, {4}, {0.4, 1}, {0.5, 0.5, 0.5, -0.2}},    // through it
    {2, {2.5, 3, 9}, {1, 1}, {1, 1, 1, 1}},        {0, {5}, {3, 3}, {1.3, 1.4, 1.1, 0.9}}};

struct Numbers {
  std::vector<double> x{};
  std::vector<std::vector<double>> tangents{};
  std::vector<std::vector<double>> adjoints{};
  int steps = 0;
  Ending ending{};
};

template <int W>
std::vector<Numbers> fly(const model::Integrator& integrator, const std::vector<Lane>& chosen) {
  Flight<W> flight(compile::compile(test::predator_prey()), integrator, chosen);
  flight.integrate();
  const auto tangents = flight.tangents();
  const auto adjoints = flight.adjoints({{{1, 2}, {0.3, -1}, {0, 1}, {2, 1}}, {{0, 1}, {1, 0}, {1, 1}, {-1, 1}}});
  std::vector<Numbers> out;
  for (std::size_t l = 0; l < chosen.size(); ++l)
    out.push_back({flight.record.x_stop[l], tangents[l], adjoints[l], flight.record.steps[l], flight.record.ending[l]});
  return out;
}

void expect_same(const Numbers& a, const Numbers& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.ending.outcome, b.ending.outcome);
  EXPECT_EQ(a.ending.time, b.ending.time);
  EXPECT_EQ(a.tangents, b.tangents);
  if (!a.ending.ok()) return;  // no sweep back from where nothing arrived
  EXPECT_EQ(a.adjoints, b.adjoints);
}

TEST(Lanes, DoNotDependOnTheirNeighbours) {
  for (const model::Integrator& integrator :
       {model::Integrator(model::Rk4{0.03}), model::Integrator(model::Dopri5{1e-6, 1e-8}),
        model::Integrator(model::Rodas5p{1e-6})}) {
    std::vector<Numbers> alone;
    for (const Lane& lane : lanes) alone.push_back(fly<1>(integrator, {lane})[0]);
    const std::vector<Numbers> by_eight = fly<8>(integrator, lanes);
    const std::vector<Numbers> first_four = fly<4>(integrator, {lanes.begin(), lanes.begin() + 4});
    const std::vector<Numbers> last_four = fly<4>(integrator, {lanes.begin() + 4, lanes.end()});
    for (std::size_t l = 0; l < 8; ++l) {
      SCOPED_TRACE(l);
      expect_same(alone[l], by_eight[l]);
      expect_same(alone[l], l < 4 ? first_four[l] : last_four[l - 4]);
    }
  }
}

TEST(Lanes, MayBePaddedAtTheEnd) {
  const model::Integrator integrator = model::Dopri5{};
  const std::vector<Numbers> three_of_four = fly<4>(integrator, {lanes.begin(), lanes.begin() + 3});
  const std::vector<Numbers> five_of_eight = fly<8>(integrator, {lanes.begin(), lanes.begin() + 5});
  for (std::size_t l = 0; l < 5; ++l) {
    const Numbers alone = fly<1>(integrator, {lanes[l]})[0];
    if (l < 3) expect_same(alone, three_of_four[l]);
    expect_same(alone, five_of_eight[l]);
  }
}

// Buffers keep what the last integration left in them; nothing of it may show.
TEST(Lanes, ARecordCanBeUsedAgain) {
  const auto model = compile::compile(test::predator_prey());
  Flight<4> used(model, model::Dopri5{}, {lanes[3], lanes[6], lanes[1], lanes[7]});
  used.integrate();
  Flight<4> fresh(model, model::Dopri5{}, {lanes[0], lanes[1], lanes[2]});
  fresh.integrate();
  const auto expected = fresh.tangents();
  std::swap(fresh.record, used.record);
  fresh.integrate();
  EXPECT_EQ(fresh.tangents(), expected);
  EXPECT_EQ(fresh.adjoints({{{1, 2}, {3, 4}}}).size(), 3u);
}

}  // namespace
}  // namespace salvo::integrate
