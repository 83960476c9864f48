#include <gtest/gtest.h>

#include <cmath>

#include "compile/accelerate.hpp"
#include "flight.hpp"
#include "helpers/problems.hpp"
#include "stiff_problems.hpp"

// Tangents along given directions: of some columns in one lane, of others in the next.
namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;

// A chain of reactions with bends, which takes few steps and has more than one group of columns.
std::shared_ptr<const compile::CompiledModel> chain(int states) {
  test::Equations equations;
  for (int i = 0; i < states; ++i) {
    const auto x = [](int n) { return "x" + std::to_string(n); };
    const std::string in = i == 0 ? "0.2*sin(t)" : "k" + std::to_string(i - 1) + "*" + x(i - 1) + "^2";
    equations.push_back({x(i), in + " - k" + std::to_string(i) + "*" + x(i) + "*" + x((i + 3) % states)});
  }
  test::Builder builder(equations);
  for (int i = 0; i < states; ++i) builder.parameter("k" + std::to_string(i), test::estimated(1));
  builder.observable("o", "x0", "1")
      .experiment("default", std::vector<std::variant<std::string, model::Estimated>>(states, "1"));
  return compile::compile(builder.build());
}

Lane lane_of(int states, int which) {
  Lane lane{.begin = 0.1 * which, .stops = {0.4 + 0.1 * which, 1.5 + 0.05 * which}};
  for (int i = 0; i < states; ++i) {
    lane.x0.push_back(1 + 0.1 * std::cos(i + which));
    lane.p.push_back(0.7 + 0.2 * std::sin(2.0 * i + which));
  }
  return lane;
}

// Lane l wants as many columns as counts[l], each a mixture of two states and two parameters.
std::vector<Seed> mixtures(int states, int which, int columns) {
  std::vector<Seed> seeds;
  for (int c = 0; c < columns; ++c) {
    seeds.push_back({c, (c + which) % states, 0.5 + c});
    seeds.push_back({c, (2 * c + 1) % states, -0.3});
    seeds.push_back({c, states + (c * c) % states, 1.7});
    if (c % 3 == 0) seeds.push_back({c, states + (c + 2) % states, 0.1 * which});
  }
  return seeds;
}

using Derivatives = std::vector<std::vector<std::vector<double>>>;  // [lane][stop][state + column * states]

template <int W>
Derivatives along(Flight<W>& flight, const std::vector<std::vector<Seed>>& seeds, const std::vector<int>& counts) {
  Derivatives out(flight.launch.lanes);
  Seeds<W> wanted;
  for (int l = 0; l < flight.launch.lanes; ++l) {
    wanted.columns[l] = counts[l];
    wanted.of_lane[l] = seeds[l];
  }
  const auto sink = [&](int l, int, const double* T) {
    std::vector<double> entries(flight.model->states * counts[l]);
    for (std::size_t n = 0; n < entries.size(); ++n) entries[n] = T[n * W + l];
    out[l].push_back(entries);
  };
  tangent<W>(*flight.model, flight.integrator, flight.launch, flight.record, wanted, sink, flight.scratch);
  for (auto& lane : out)
    if (lane.empty()) lane.resize(2);  // no columns, nothing to tell
  return out;
}

// The same from the columns of all states and parameters.
Derivatives combined(const Derivatives& all, int states, const std::vector<std::vector<Seed>>& seeds,
                     const std::vector<int>& counts) {
  Derivatives out(seeds.size());
  for (std::size_t l = 0; l < seeds.size(); ++l) {
    for (const std::vector<double>& at_stop : all[l]) {
      std::vector<double> sums(states * counts[l], 0.0);
      for (const auto& [column, row, value] : seeds[l])
        for (int i = 0; i < states; ++i) sums[i + column * states] += value * at_stop[i + row * states];
      out[l].push_back(sums);
    }
  }
  return out;
}

void expect_near(const Derivatives& a, const Derivatives& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t l = 0; l < a.size(); ++l) {
    ASSERT_EQ(a[l].size(), b[l].size());
    for (std::size_t k = 0; k < a[l].size(); ++k) {
      ASSERT_EQ(a[l][k].size(), b[l][k].size());
      for (std::size_t n = 0; n < a[l][k].size(); ++n) EXPECT_NEAR(a[l][k][n], b[l][k][n], 1e-11) << l << k << n;
    }
  }
}

constexpr int states = 7;
const std::vector<int> counts{3, 0, 19, 33};

template <int W>
void expect_combinations(const model::Integrator& integrator, std::size_t stage_budget, std::size_t x_budget) {
  std::vector<Lane> lanes;
  std::vector<std::vector<Seed>> seeds;
  for (int l = 0; l < W; ++l) {
    lanes.push_back(lane_of(states, l));
    seeds.push_back(mixtures(states, l, counts[l]));
  }
  Flight<W> flight(chain(states), integrator, lanes);
  flight.record.stage_budget = stage_budget;
  flight.record.x_budget = x_budget;
  flight.integrate();
  for (int l = 0; l < W; ++l) ASSERT_TRUE(flight.record.ending[l].ok());
  const Derivatives found = along(flight, seeds, counts);
  expect_near(found, combined(flight.tangents(), states, seeds, counts));
  // Alone, with everything kept, a lane has the same bits.
  for (int l = 0; l < W; ++l) {
    Flight<1> alone(chain(states), integrator, {lanes[l]});
    alone.integrate();
    EXPECT_EQ(along(alone, {seeds[l]}, {counts[l]})[0], found[l]) << l;
  }
}

const std::vector<model::Integrator> methods{model::Dopri5{1e-6}, model::Rk4{0.07}, model::Rodas5p{1e-6}};

TEST(Seeds, GiveCombinationsOfColumnsInAnyNumberOfLanes) {
  for (const model::Integrator& integrator : methods) {
    SCOPED_TRACE(name_in_use(integrator));
    for (const std::size_t stages : {std::size_t{1} << 28U, std::size_t{0}}) {
      expect_combinations<1>(integrator, stages, std::size_t{1} << 30U);
      expect_combinations<4>(integrator, stages, std::size_t{1} << 30U);
    }
  }
}

TEST(Seeds, GiveTheSameWhereStatesAreLeftOut) {
  expect_combinations<1>(model::Rodas5p{1e-8}, 0, 2 * states * sizeof(double));
  expect_combinations<4>(model::Rodas5p{1e-8}, 0, 3 * 4 * states * sizeof(double));
}

TEST(Seeds, GiveTheSameByWholeStepsInMachineCode) {
  const auto model = chain(3);
  const model::Integrator integrator = model::Dopri5{1e-6};
  const auto native = compile::accelerate(*model, {.lanes = 4, .whole_steps = whole_steps_of(integrator)});
  if (!native.model) GTEST_SKIP() << native.trouble;
  ASSERT_GT(native.model->whole.push.output_count(), 0);
  std::vector<Lane> lanes;
  std::vector<std::vector<Seed>> seeds;
  const std::vector<int> few{2, 0, 4, 1};
  for (int l = 0; l < 4; ++l) {
    lanes.push_back(lane_of(3, l));
    seeds.push_back(mixtures(3, l, few[l]));
  }
  Flight<4> tape(model, integrator, lanes);
  Flight<4> code(native.model, integrator, lanes);
  tape.integrate();
  code.integrate();
  const auto a = along(tape, seeds, few);
  const auto b = along(code, seeds, few);
  for (std::size_t l = 0; l < 4; ++l)
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t n = 0; n < a[l][k].size(); ++n) EXPECT_NEAR(a[l][k][n], b[l][k][n], 1e-9);
}

}  // namespace
}  // namespace salvo::integrate
