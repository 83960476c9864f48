#include <gtest/gtest.h>

#include <cmath>

#include "compile/compiled_model.hpp"
#include "flight.hpp"
#include "helpers/problems.hpp"
#include "integrate/coupled_sizes.hpp"

namespace salvo {
namespace {

using test::Flight;

// Equations of states that are written as NAME in their formulas.
struct Written {
  std::string title;
  test::Equations equations;
  std::vector<double> x0;
  std::vector<double> times;
};

test::Equations chain_of(int states) {
  test::Equations out{{"X0", "-X0"}};
  for (int i = 1; i < states; ++i)
    out.push_back({"X" + std::to_string(i), "X" + std::to_string(i - 1) + " - X" + std::to_string(i)});
  return out;
}

std::vector<double> first_of(int states) {
  std::vector<double> out(states);
  out[0] = 1;
  return out;
}

std::vector<Written> models() {
  return {{"decays", {{"X", "-X"}, {"Y", "-0.3*Y"}}, {1, 1}, {1, 5, 20}},
          {"a chain from zero", chain_of(12), first_of(12), {0.01, 1, 5, 30}},
          {"predator and prey", {{"X", "X - X*Y"}, {"Y", "X*Y - Y"}}, {0.4, 1}, {1, 5, 20}},
          {"an oscillator from rest", {{"X", "V"}, {"V", "-25*X"}}, {1, 0}, {1, 5, 20}},
          {"an enzyme",
           {{"S", "C - 10*E*S"}, {"E", "2*C - 10*E*S"}, {"C", "10*E*S - 2*C"}, {"P", "C"}},
           {1, 0.01, 0, 0},
           {1, 50, 500}},
          {"products of zeros", {{"X", "-X"}, {"Q", "X^2"}, {"Z", "Q^2*X"}}, {1, 0, 0}, {0.1, 1, 10}},
          {"an epidemic", {{"S", "-0.5*S*I"}, {"I", "0.5*S*I - 0.1*I"}, {"R", "0.1*I"}}, {1, 1e-6, 0}, {10, 50, 200}},
          {"a pulse", {{"X", "exp(-(t - 5)^2) - X"}, {"Y", "X - Y"}}, {0, 0}, {1, 5, 20}},
          {"a fast decay", {{"X", "-20*X"}, {"Y", "20*X - 0.1*Y"}}, {1, 0}, {0.5, 50, 100}}};
}

// Every state in its own unit: x_i = unit_i X_i.
std::vector<double> values_in_units(const Written& written, const std::vector<double>& units,
                                    const model::Integrator& integrator) {
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  test::Equations equations;
  std::vector<std::variant<std::string, model::Estimated>> initial;
  std::vector<double> x0;
  const std::size_t states = units.size();
  for (std::size_t i = 0; i < states; ++i) {
    std::string formula;
    const std::string& as_written = written.equations[i].second;
    for (std::size_t at = 0; at < as_written.size();) {
      std::size_t longest = 0, found = 0;
      for (std::size_t j = 0; j < states; ++j) {
        const std::string& name = written.equations[j].first;
        if (as_written.compare(at, name.size(), name) == 0 && name.size() > longest) longest = name.size(), found = j;
      }
      if (longest == 0) {
        formula += as_written[at++];
        continue;
      }
      formula += "(" + written.equations[found].first + "/" + number(units[found]) + ")";
      at += longest;
    }
    equations.push_back({written.equations[i].first, number(units[i]) + "*(" + formula + ")"});
    x0.push_back(units[i] * written.x0[i]);
    initial.emplace_back(number(x0.back()));
  }
  test::Builder builder(equations);
  builder.observable("seen", equations[0].first, "1").experiment("default", initial);
  Flight<1> flight(compile::compile(builder.build()), integrator, {{0, written.times, x0, {}}});
  flight.integrate();
  EXPECT_TRUE(flight.record.ending[0].ok()) << written.title;
  std::vector<double> out = flight.record.x_stop[0];
  for (std::size_t n = 0; n < out.size(); ++n) out[n] /= units[n % states];
  return out;
}

// Tolerances belong to a state and its own unit.
TEST(Units, OfStatesDoNotChangeTrajectories) {
  constexpr double vanished = 1e-13;
  for (const Written& written : models()) {
    const std::size_t states = written.x0.size();
    for (const model::Integrator& integrator :
         {model::Integrator(model::Dopri5{}), model::Integrator(model::Rodas5p{})}) {
      const std::vector<double> plain = values_in_units(written, std::vector<double>(states, 1.0), integrator);
      for (int k = 0; k < 6; ++k) {
        std::vector<double> units;
        for (std::size_t i = 0; i < states; ++i)
          units.push_back(std::pow(10.0, static_cast<int>((i * 37 + k * 23 + i * i * k * 11) % 61) - 30));
        const std::vector<double> scaled = values_in_units(written, units, integrator);
        ASSERT_EQ(scaled.size(), plain.size()) << written.title;
        for (std::size_t n = 0; n < plain.size(); ++n)
          EXPECT_NEAR(scaled[n], plain[n], 1e-6 * std::abs(plain[n]) + vanished)
              << written.title << ", state " << n % states << ", units " << k;
      }
    }
  }
}

// x' = -x beside a state of 1e30 that stands still, and beside one of 1e-30 that decays.
TEST(Units, OfANeighbourRuinNothing) {
  for (const double other : {1e-30, 1e-12, 1.0, 1e12, 1e30}) {
    for (const std::string rate : {"0", "-2*y"}) {
      test::Builder builder(test::Equations{{"x", "-x"}, {"y", rate}});
      builder.observable("seen", "x", "1").experiment("default", {"1", fmt::format("{}", other)});
      const auto model = compile::compile(builder.build());
      for (const model::Integrator& integrator :
           {model::Integrator(model::Dopri5{}), model::Integrator(model::Rodas5p{})}) {
        Flight<1> flight(model, integrator, {{0, {5}, {1, other}, {}}});
        flight.integrate();
        EXPECT_NEAR(flight.at_stop(0, 0)[0] / std::exp(-5), 1, 1e-6) << other;
        EXPECT_NEAR(flight.at_stop(0, 0)[1] / other, rate == "0" ? 1 : std::exp(-10), 1e-10) << other;
      }
    }
  }
}

// Two of a kind annihilate each other: 0.04 - 6e7 y^2 = 0 at y = 2.6e-5, which nothing at zero shows.
TEST(CoupledSizes, AreWhatStatesWillReach) {
  const compile::Lines rows = compile::make_lines({0, 1, 1}, {0, 0, 1}, 2);
  integrate::CoupledSizes sizes(rows, {1, 0}, 1e11);
  for (int look = 0; look < 5 && !sizes.is_settled(); ++look) {
    const double y = sizes.point()[1];
    const double f[2] = {-0.04, 0.04 - 6e7 * y * y};
    const double nonzeros[3] = {-0.04, 0.04, -12e7 * y};
    sizes.look(f, nonzeros, 1);
  }
  EXPECT_EQ(sizes.sizes()[0], 0);
  EXPECT_NEAR(std::log10(sizes.sizes()[1] / 2.6e-5), 0, 1);
}

}  // namespace
}  // namespace salvo
