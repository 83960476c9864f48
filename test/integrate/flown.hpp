#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "flight.hpp"

namespace salvo::test {

// Eight lanes of predator and prey that have little in common: stops inside, a lane that takes no more than a few
// steps, one that comes close to its pole, one through it.
inline const std::vector<Lane> various_lanes{
    {0, {1, 2}, {0.6, 1.4}, {0.9, 1.1, 0.8, 1.2}}, {0.5, {8}, {1.6, 0.4}, {1.9, 1.1, 1.8, 1.2}},
    {0, {1e-3}, {0.1, 0.1}, {1, 1, 1, 1}},         {-3, {-2, 0, 0.1, 6}, {0.4, 2.4}, {0.5, 0.7, 0.8, 0.6}},
    {0, {3.2}, {0.4, 1}, {0.5, 0.5, 0.5, -0.2}},  // close to its pole
    {0, {4}, {0.4, 1}, {0.5, 0.5, 0.5, -0.2}},    // through it
    {2, {2.5, 3, 9}, {1, 1}, {1, 1, 1, 1}},        {0, {5}, {3, 3}, {1.3, 1.4, 1.1, 0.9}}};

// All that comes of one lane of two states.
struct Flown {
  std::vector<double> x{};
  std::vector<std::vector<double>> tangents{};
  std::vector<std::vector<double>> adjoints{};
  int steps = 0;
  integrate::Ending ending{};
};

template <int W>
std::vector<Flown> fly(std::shared_ptr<const compile::CompiledModel> model, const model::Integrator& integrator,
                       const std::vector<Lane>& chosen) {
  Flight<W> flight(std::move(model), integrator, chosen);
  flight.integrate();
  const auto tangents = flight.tangents();
  const auto adjoints = flight.adjoints({{{1, 2}, {0.3, -1}, {0, 1}, {2, 1}}, {{0, 1}, {1, 0}, {1, 1}, {-1, 1}}});
  std::vector<Flown> out;
  for (std::size_t l = 0; l < chosen.size(); ++l)
    out.push_back({flight.record.x_stop[l], tangents[l], adjoints[l], flight.record.steps[l], flight.record.ending[l]});
  return out;
}

inline void expect_same(const Flown& a, const Flown& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.ending.outcome, b.ending.outcome);
  EXPECT_EQ(a.ending.time, b.ending.time);
  EXPECT_EQ(a.tangents, b.tangents);
  if (!a.ending.ok()) return;  // no sweep back from where nothing arrived
  EXPECT_EQ(a.adjoints, b.adjoints);
}

}  // namespace salvo::test
