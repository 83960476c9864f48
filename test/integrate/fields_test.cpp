#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "flight.hpp"
#include "helpers/field_problems.hpp"
#include "integrate/banded_lu.hpp"
#include "reference.hpp"

// Fields against what is known of their equations in closed form, and against other ways to the same numbers.
namespace salvo::integrate {
namespace {

using model::BoundaryKind;
using test::estimated;
using test::FieldBuilder;
using test::Flight;
using test::Lane;

constexpr double pi = std::numbers::pi;

model::Space space(double from, double to, int cells, model::Geometry geometry = model::Geometry::line) {
  return {.from = from, .to = to, .cells = cells, .geometry = geometry};
}

std::vector<double> guesses(const model::Problem& problem) {
  std::vector<double> out;
  for (const model::Parameter& parameter : problem.parameters)
    if (parameter.is_estimated()) out.push_back(std::get<model::Estimated>(parameter.value).guess.value());
  return out;
}

// From where formulas say that fields begin.
Lane lane_of(const model::Problem& problem, const compile::CompiledModel& model, const std::vector<double>& stops) {
  const std::vector<double> theta = guesses(problem);
  const compile::Kernel& kernel = model.experiments[0].value;
  std::vector<double> work(kernel.work_size()), out(kernel.output_count());
  kernel.run<1>({.parameter = theta.data(), .seed = theta.data()}, work.data(), out.data());
  return {0, stops, {out.begin() + model.parameters, out.end()}, {out.begin(), out.begin() + model.parameters}};
}

struct Solved {
  std::shared_ptr<const compile::CompiledModel> model{};
  std::vector<std::vector<double>> at_stop{};
};
Solved solve(const model::Problem& problem, const std::vector<double>& stops,
             const model::Integrator& integrator = model::Rodas5p{1e-10}) {
  Solved out{.model = compile::compile(problem)};
  Flight<1> flight(out.model, integrator, {lane_of(problem, *out.model, stops)});
  flight.integrate();
  EXPECT_TRUE(flight.record.ending[0].ok()) << describe(flight.record.ending[0], out.model->state_names);
  for (std::size_t k = 0; k < stops.size() && flight.record.ending[0].ok(); ++k)
    out.at_stop.push_back(flight.at_stop(0, static_cast<int>(k)));
  return out;
}
double observed(const Solved& solved, int observable, int stop, double time, const std::vector<double>& p) {
  const compile::Kernel& kernel = solved.model->observables[observable].value;
  std::vector<double> work(kernel.work_size()), out(kernel.output_count());
  kernel.run<1>({.time = &time, .state = solved.at_stop[stop].data(), .parameter = p.data()}, work.data(), out.data());
  return out[0];
}

// u_t = D u_xx: in cells, waves decay at a rate of their own.
TEST(FieldsInTime, DiffuseAsTheirCellsDo) {
  for (const int cells : {7, 40}) {
    for (const bool is_zero_at_walls : {true, false}) {
      const int k = 2;
      const auto wall = is_zero_at_walls ? std::pair<BoundaryKind, std::vector<std::string>>{BoundaryKind::value, {"0"}}
                                         : std::pair<BoundaryKind, std::vector<std::string>>{BoundaryKind::flux, {"0"}};
      FieldBuilder builder(space(0, 1, cells));
      builder.parameter("D", estimated(0.1));
      builder.field({"u", "D*dxx(u)", is_zero_at_walls ? "sin(2*3.141592653589793*x)" : "cos(2*3.141592653589793*x)",
                     wall, wall});
      const model::Problem problem = builder.build();
      const auto model = compile::compile(problem);
      Flight<1> flight(model, model::Rodas5p{1e-12}, {lane_of(problem, *model, {0.3})});
      flight.integrate();
      const auto tangents = flight.tangents()[0][0];
      const double dx = 1.0 / cells;
      const double rate = 4 * std::pow(std::sin(k * pi * dx / 2) / dx, 2);
      for (int i = 0; i < cells; ++i) {
        const double x = (i + 0.5) * dx;
        const double u = (is_zero_at_walls ? std::sin(k * pi * x) : std::cos(k * pi * x)) * std::exp(-0.1 * rate * 0.3);
        EXPECT_NEAR(flight.at_stop(0, 0)[i], u, 1e-11);
        EXPECT_NEAR(tangents[i + cells * cells], -rate * 0.3 * u, 1e-9);
      }
    }
  }
}

double mass(const model::Problem& problem, const std::vector<double>& u) {
  const model::Space& x = problem.space[0];
  const auto ball = [&](double r) {
    return x.geometry == model::Geometry::line       ? r
           : x.geometry == model::Geometry::cylinder ? r * r / 2
                                                     : r * r * r / 3;
  };
  double sum = 0;
  for (int i = 0; i < x.cells; ++i) sum += u[i] * (ball(x.from + (i + 1) * x.width()) - ball(x.from + i * x.width()));
  return sum;
}

// Nothing passes a layer that lets nothing through: what is on either side is kept there, with finite derivatives.
TEST(FieldsInTime, AreHeldByLayersWithoutDiffusion) {
  FieldBuilder builder(space(0, 1, 40));
  builder.parameter("D", estimated(0.3));
  builder.field({"u",
                 "div(D*piecewise(0, x > 0.4 && x < 0.6, 1)*grad(u)) - piecewise(0, x < 0.6, 0.5)*dx(u)",
                 "piecewise(1, x < 0.3, 0.1)",
                 {BoundaryKind::flux, {"0"}},
                 {BoundaryKind::gradient, {"0"}}});
  const model::Problem problem = builder.build();
  const auto model = compile::compile(problem);
  Flight<1> flight(model, model::Rodas5p{1e-8}, {lane_of(problem, *model, {5})});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok()) << describe(flight.record.ending[0], model->state_names);
  double left = 0;
  for (int i = 0; i < 16; ++i) left += flight.at_stop(0, 0)[i] / 40;
  EXPECT_NEAR(left, 0.3 + 0.1 * 0.1, 1e-12);
  for (int i = 16; i < 24; ++i) EXPECT_NEAR(flight.at_stop(0, 0)[i], 0.1, 1e-12);
  const auto tangents = flight.tangents()[0][0];
  for (const double slope : tangents) EXPECT_TRUE(std::isfinite(slope));
}

// In layers, a flux through a wall where nothing diffuses is carried in.
TEST(FieldsInTime, EnterLayersWithoutDiffusion) {
  FieldBuilder builder(space(0, 1, 20), {.advection = model::Advection::limited});
  builder.parameter("v", test::within(1, 0, 3));
  builder.field({"u",
                 "div(piecewise(0, x < 0.5, 0.01)*grad(u)) - v*dx(u)",
                 "0",
                 {BoundaryKind::flux, {"v*0.7"}},
                 {BoundaryKind::gradient, {"0"}}});
  const Solved solved = solve(builder.build(), {0.5, 4}, model::Rodas5p{1e-8});
  ASSERT_EQ(solved.at_stop.size(), 2u);
  double inside = 0;
  for (const double u : solved.at_stop[0]) inside += u / 20;
  EXPECT_NEAR(inside, 0.5 * 0.7, 2e-4);
  for (const double u : solved.at_stop[1]) EXPECT_NEAR(u, 0.7, 1e-5);
}

// An edge of a field at the beginning stands where it was stated, and not where cells end.
TEST(FieldsInTime, BeginWithEdgesInsideOfCells) {
  for (const auto geometry : {model::Geometry::line, model::Geometry::sphere}) {
    FieldBuilder builder(space(0, 1, 10, geometry));
    builder.parameter("a", estimated(2)).field({"u", "0*u", "piecewise(a, x < 0.337, piecewise(0, x < 0.352, 1))"});
    const model::Problem problem = builder.build();
    const auto model = compile::compile(problem);
    const std::vector<double> u = lane_of(problem, *model, {1}).x0;
    const auto ball = [&](double r) { return geometry == model::Geometry::line ? r : r * r * r / 3; };
    EXPECT_NEAR(mass(problem, u), 2 * ball(0.337) + ball(1) - ball(0.352), 1e-9);
    EXPECT_EQ(u[2], 2);
    EXPECT_EQ(u[4], 1);
  }
}

TEST(FieldsInTime, KeepTheirMass) {
  for (const auto geometry : {model::Geometry::line, model::Geometry::cylinder, model::Geometry::sphere}) {
    for (const std::string formula :
         {"div(D*u*grad(u))", "div(piecewise(1, x < 0.45, 0.01)*D*grad(u))", "div(D*grad(u) - 0.7*u*(1 - u)*x)"}) {
      FieldBuilder builder(space(0, 1, 50, geometry));
      builder.parameter("D", estimated(0.05)).field({"u", formula, "exp(-40*(x - 0.4)^2)"});
      const model::Problem problem = builder.build();
      const Solved solved = solve(problem, {1e-3, 0.5, 3}, model::Rodas5p{1e-6});
      const double at_begin = mass(problem, lane_of(problem, *solved.model, {1}).x0);
      for (const auto& u : solved.at_stop) EXPECT_NEAR(mass(problem, u) / at_begin, 1, 1e-13) << formula;
    }
  }
}

// u = (1 + e^(x/sqrt 6 - 5t/6))^-2 solves u_t = u_xx + u(1 - u).
double front(double x, double t) { return std::pow(1 + std::exp(x / std::sqrt(6.0) - 5 * t / 6), -2); }

double front_error(int cells) {
  FieldBuilder builder(space(-10, 15, cells));
  builder.parameter("D", estimated(1));
  builder.field({"u",
                 "D*dxx(u) + u*(1 - u)",
                 "(1 + exp(x/sqrt(6)))^-2",
                 {BoundaryKind::value, {"(1 + exp(-10/sqrt(6) - 5*t/6))^-2"}},
                 {BoundaryKind::value, {"(1 + exp(15/sqrt(6) - 5*t/6))^-2"}}});
  builder.observable("a", "u(at: 5)").observable("b", "u(at: 0)").observable("wall", "u(at: -10)");
  const Solved solved = solve(builder.build(), {2, 3});
  EXPECT_NEAR(observed(solved, 2, 1, 3, {1}), front(-10, 3), 1e-13);
  return std::hypot(observed(solved, 0, 0, 2, {1}) - 0.16600413998846505,
                    observed(solved, 1, 1, 3, {1}) - 0.8540381034336485);
}
TEST(FieldsInTime, FollowAFrontToSecondOrder) {
  const double coarse = front_error(100);
  const double fine = front_error(200);
  EXPECT_LT(fine, 2e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

// Uptake of a ball ([Crank75]) and of a cylinder, and the order 2 by which cells approach it.
TEST(FieldsInTime, TakeUpWhatSurroundsThem) {
  struct Case {
    model::Geometry geometry;
    std::vector<double> uptake;
  };
  for (const Case& each : {Case{model::Geometry::sphere, {.3085137501, .6069397567, .7704787380, .9685245351}},
                           Case{model::Geometry::cylinder, {.2154739382, .4521209980, .6058241940, .8779715301}}}) {
    std::vector<std::vector<double>> found;
    for (const int cells : {60, 120}) {
      FieldBuilder builder(space(0, 1, cells, each.geometry));
      builder.parameter("D", estimated(1));
      builder.field({"u", "div(D*grad(u))", "0", {}, {BoundaryKind::value, {"1"}}}).observable("uptake", "mean(u, x)");
      const std::vector<double> times{.01, .05, .1, .3};
      const Solved solved = solve(builder.build(), times, model::Rodas5p{1e-9});
      auto& of_cells = found.emplace_back();
      for (int k = 0; k < 4; ++k) of_cells.push_back(observed(solved, 0, k, times[k], {1}));
    }
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(found[1][k], each.uptake[k], 4e-4);
      EXPECT_NEAR(found[1][k] + (found[1][k] - found[0][k]) / 3, each.uptake[k], 1e-5);
    }
  }
}

// Barenblatt's solution of u_t = (u u_x)_x from t = 1 on: a parabola whose foot moves by t^(1/3).
TEST(FieldsInTime, SpreadThroughPorousMedia) {
  FieldBuilder builder(space(-4, 4, 400));
  builder.parameter("D", estimated(1));
  builder.field({"u", "div(D*u*grad(u))", "max(0, 1 - x^2/6)"});
  const model::Problem problem = builder.build();
  const Solved solved = solve(problem, {3}, model::Rodas5p{1e-7});
  const double t = 4;
  const double foot = std::sqrt(6.0) * std::cbrt(t);
  for (int i = 0; i < 400; ++i) {
    const double x = problem.space[0].centre(i);
    if (std::abs(std::abs(x) - foot) < 0.1) continue;
    EXPECT_NEAR(solved.at_stop[0][i], std::max(0.0, 1 - x * x / (6 * std::cbrt(t * t))) / std::cbrt(t), 2e-3) << x;
  }
}

// Burgers' equation by Cole and Hopf: u = 2 nu pi a e^(-nu pi^2 t) sin(pi x)/(1 + a e^(-nu pi^2 t) cos(pi x)).
double burgers_error(int cells, const model::Scheme& scheme, const std::string& formula) {
  FieldBuilder builder(space(0, 1, cells), scheme);
  builder.parameter("nu", estimated(0.05));
  builder.field({"u",
                 formula,
                 "2*nu*3.141592653589793*0.8*sin(3.141592653589793*x)/(1 + 0.8*cos(3.141592653589793*x))",
                 {BoundaryKind::value, {"0"}},
                 {BoundaryKind::value, {"0"}}});
  const model::Problem problem = builder.build();
  const Solved solved = solve(problem, {1}, model::Rodas5p{1e-9});
  double largest = 0;
  const double decay = 0.8 * std::exp(-0.05 * pi * pi);
  for (int i = 0; i < cells; ++i) {
    const double x = problem.space[0].centre(i);
    const double exact = 2 * 0.05 * pi * decay * std::sin(pi * x) / (1 + decay * std::cos(pi * x));
    largest = std::max(largest, std::abs(solved.at_stop[0][i] - exact));
  }
  return largest;
}
TEST(FieldsInTime, AreCarriedAlongToSecondOrder) {
  for (const std::string formula : {"nu*dxx(u) - dx(u^2/2)", "nu*dxx(u) - u*dx(u)"}) {
    const model::Scheme central{model::Advection::central};
    const double order = std::log2(burgers_error(50, central, formula) / burgers_error(100, central, formula));
    EXPECT_NEAR(order, 2, 0.1) << formula;
    EXPECT_LT(burgers_error(100, central, formula), 1e-3);
  }
}

// A wave that goes round: the limited scheme keeps the order 2, upwind only 1, and order 4 is 4.
double round_trip_error(int cells, const model::Scheme& scheme, const std::string& formula, double decay) {
  FieldBuilder builder(space(0, 1, cells), scheme);
  builder.parameter("v", test::within(1, 0, 10)).parameter("D", estimated(0.01));
  builder.field(
      {"u", formula, "2 + sin(2*3.141592653589793*x)", {BoundaryKind::periodic, {}}, {BoundaryKind::periodic, {}}});
  const model::Problem problem = builder.build();
  const Solved solved = solve(problem, {1}, model::Rodas5p{1e-9});
  double sum = 0;
  for (int i = 0; i < cells; ++i)
    sum += std::abs(solved.at_stop[0][i] - 2 - decay * std::sin(2 * pi * problem.space[0].centre(i)));
  return sum / cells;
}
TEST(FieldsInTime, GoRoundInARing) {
  const auto order = [](const model::Scheme& scheme, const std::string& formula, double decay) {
    return std::log2(round_trip_error(64, scheme, formula, decay) / round_trip_error(128, scheme, formula, decay));
  };
  EXPECT_NEAR(order({model::Advection::limited}, "-v*dx(u)", 1), 2, 0.35);
  EXPECT_NEAR(order({model::Advection::upwind}, "-v*dx(u)", 1), 1, 0.2);
  const double decay = std::exp(-0.01 * 4 * pi * pi);
  EXPECT_NEAR(order({model::Advection::central, 4}, "D*dxx(u)", decay), 4, 0.1);
  EXPECT_NEAR(order({model::Advection::central, 2}, "D*dxx(u)", decay), 2, 0.1);
}

// Two fields and a tank, whose equations have all kinds of terms.
model::Problem varied(int cells, bool is_ring) {
  FieldBuilder builder(space(0, 2, cells));
  builder.parameter("D", estimated(0.03)).parameter("v", test::within(0.9, 0, 10));
  const auto at = [&](BoundaryKind kind, const std::vector<std::string>& terms) {
    return is_ring ? std::pair<BoundaryKind, std::vector<std::string>>{BoundaryKind::periodic, {}}
                   : std::pair<BoundaryKind, std::vector<std::string>>{kind, terms};
  };
  builder
      .field({"u", "div(D*(1 + u^2)*grad(u)) - v*dx(u) + u*(1 - w)", "1 + 0.3*cos(3.141592653589793*x)",
              at(BoundaryKind::value, {"1.3 + 0.1*sin(t)*v"}), at(BoundaryKind::gradient, {"0"})})
      .field({"w", "D*(1 + 0.1*u)*dxx(w) + 0.3*u*w - w", "0.5 + 0.2*cos(3.141592653589793*x)",
              at(BoundaryKind::flux, {"0.1*v"}), at(BoundaryKind::robin, {"v", "0.3", "0.2 + 0.1*tank"})});
  builder.state("tank", "v*integral(u, x, 0.3, 1.7) - tank*w(at: 0.4)*t", "0.2");
  return builder.build();
}

// Loops over cells with banded elimination, and formulas for every cell with elimination written out.
TEST(FieldsInTime, HaveTheDerivativesOfTheSameEquationsWrittenOut) {
  for (const bool is_ring : {false, true}) {
    const model::Problem problem = varied(11, is_ring);
    const auto loops = compile::compile(problem);
    const auto formulas = compile::compile(test::unrolled(problem));
    ASSERT_TRUE(BandedLu::of(*loops));
    const model::Integrator integrator = model::Rodas5p{1e-7, 1e-8};
    Flight<1> a(loops, integrator, {lane_of(problem, *loops, {0.2, 0.7})});
    Flight<1> b(formulas, integrator, {lane_of(problem, *loops, {0.2, 0.7})});
    a.integrate(), b.integrate();
    ASSERT_EQ(a.record.steps[0], b.record.steps[0]);
    for (std::size_t i = 0; i < a.record.x_stop[0].size(); ++i)
      EXPECT_NEAR(a.record.x_stop[0][i], b.record.x_stop[0][i], 1e-10);
    const auto forward = a.tangents()[0];
    const auto written = b.tangents()[0];
    const int d = loops->states;
    std::vector<double> weights(d);
    for (int i = 0; i < d; ++i) weights[i] = std::cos(1 + 2.0 * i);
    const auto backward = a.adjoints({{weights, weights}})[0][0];
    for (int c = 0; c < d + 2; ++c) {
      double sum = 0;
      for (int k = 0; k < 2; ++k)
        for (int i = 0; i < d; ++i) {
          EXPECT_NEAR(forward[k][i + c * d], written[k][i + c * d], 1e-8 * (1 + std::abs(written[k][i + c * d])));
          sum += weights[i] * forward[k][i + c * d];
        }
      EXPECT_NEAR(backward[c], sum, 1e-11 * (1 + std::abs(sum)));
    }
  }
}

// Complex steps of the same discretisation, by a second implementation of it.
TEST(FieldsInTime, HaveTheDerivativesOfComplexSteps) {
  const int cells = 12;
  FieldBuilder builder(space(0, 3, cells));
  builder.parameter("D", estimated(0.03)).parameter("r", estimated(1.1));
  builder.field({"u", "div(D*u*grad(u)) + r*u*(1 - u)", "0.3 + 0.2*cos(x)", {BoundaryKind::value, {"0.5*r"}}});
  const model::Problem problem = builder.build();
  const auto model = compile::compile(problem);
  const Lane lane = lane_of(problem, *model, {0.5});
  Flight<1> flight(model, model::Dopri5{1e-8}, {lane});
  flight.integrate();
  const auto rhs = [&](const auto& u, double, const auto& p) {
    std::decay_t<decltype(u)> out(u.size());
    const double dx = 3.0 / cells;
    for (int i = 0; i < cells; ++i) {
      const auto wall = 0.5 * p[1];
      const auto left = i == 0 ? p[0] * (u[0] + wall) / 2. * (u[0] - wall) * 2. / dx
                               : p[0] * (u[i - 1] + u[i]) / 2. * (u[i] - u[i - 1]) / dx;
      const auto right = i + 1 == cells ? 0. * u[i] : p[0] * (u[i] + u[i + 1]) / 2. * (u[i + 1] - u[i]) / dx;
      out[i] = (right - left) / dx + p[1] * u[i] * (1. - u[i]);
    }
    return out;
  };
  const auto exact =
      test::complex_step(test::dormand_prince, rhs, flight.record, lane.x0, lane.p, flight.record.steps[0]);
  const auto tangents = flight.tangents()[0][0];
  for (int i = 0; i < cells; ++i)
    for (int c = 0; c < cells + 2; ++c)
      EXPECT_NEAR(tangents[i + c * cells], exact[i][c], 1e-10 * (1 + std::abs(exact[i][c])));
}

// Packs, and memory that holds few states, change nothing.
TEST(FieldsInTime, DependNeitherOnNeighboursNorOnMemory) {
  const model::Problem problem = varied(9, false);
  const auto model = compile::compile(problem);
  const Lane lane = lane_of(problem, *model, {0.2, 0.7});
  Lane other = lane;
  other.p = {0.05, 0.4};
  const model::Integrator integrator = model::Rodas5p{1e-7};
  Flight<1> alone(model, integrator, {lane});
  Flight<4> packed(model, integrator, {other, lane, other});
  Flight<1> small(model, integrator, {lane});
  small.record.x_budget = 5 * model->states * sizeof(double);
  alone.integrate(), packed.integrate(), small.integrate();
  EXPECT_EQ(alone.record.x_stop[0], packed.record.x_stop[1]);
  EXPECT_GT(small.record.x_every, 1);
  const std::vector<double> one(model->states, 1.0);
  const std::vector<std::vector<std::vector<double>>> weights{{one, one}};
  const auto exact = alone.adjoints(weights)[0][0];
  EXPECT_EQ(exact, packed.adjoints(weights)[1][0]);
  const auto remembered = small.adjoints(weights)[0][0];
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(remembered[i], exact[i], 1e-12 * (1 + std::abs(exact[i])));
}

// Diffusion backwards grows without bound: a status, and no number.
TEST(FieldsInTime, EndWhereDiffusionIsNegative) {
  FieldBuilder builder(space(0, 1, 200));
  builder.parameter("D", estimated(-1)).field({"u", "D*dxx(u)", "sin(3*x)^2 + piecewise(1, x > 0.5, 0)"});
  const model::Problem problem = builder.build();
  const auto model = compile::compile(problem);
  Flight<1> flight(model, model::Rodas5p{1e-8}, {lane_of(problem, *model, {5})});
  flight.integrate();
  EXPECT_FALSE(flight.record.ending[0].ok());
}

// --- rectangles ------------------------------------------------------------------------------------------------------

// In cells of a rectangle waves decay at the sum of the rates along both coordinates, whichever walls they meet.
TEST(FieldsOnRectangles, DiffuseAsTheirCellsDo) {
  const int columns = 9;
  const int rows = 14;
  FieldBuilder builder(space(0, 1, columns), space(0, 2, rows));
  builder.parameter("D", estimated(0.1));
  builder.field({.id = "u",
                 .formula = "D*dxx(u) + D*dyy(u)",
                 .initial = "sin(6.283185307179586*x)*cos(4.71238898038469*y)",
                 .left = {BoundaryKind::value, {"0"}},
                 .right = {BoundaryKind::value, {"0"}}});
  const model::Problem problem = builder.build();
  const auto model = compile::compile(problem);
  Flight<1> flight(model, model::Rodas5p{1e-12}, {lane_of(problem, *model, {0.3})});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok());
  const int all = columns * rows;
  const auto tangents = flight.tangents()[0][0];
  const double dx = 1.0 / columns;
  const double dy = 2.0 / rows;
  const double rate =
      4 * std::pow(std::sin(2 * pi * dx / 2) / dx, 2) + 4 * std::pow(std::sin(1.5 * pi * dy / 2) / dy, 2);
  for (int i = 0; i < all; ++i) {
    const double x = (i % columns + 0.5) * dx;
    const double y = (i / columns + 0.5) * dy;
    const double u = std::sin(2 * pi * x) * std::cos(1.5 * pi * y) * std::exp(-0.1 * rate * 0.3);
    EXPECT_NEAR(flight.at_stop(0, 0)[i], u, 1e-11);
    EXPECT_NEAR(tangents[i + all * all], -rate * 0.3 * u, 1e-9);
  }
}

TEST(FieldsOnRectangles, KeepTheirMass) {
  for (const std::string formula : {"div(D*u*grad(u))", "div(piecewise(1, x + y < 1.05, 0.01)*D*grad(u))",
                                    "D*dxx(u) + dy(D*dy(u) - 0.7*u*(1 - u)*x)"}) {
    FieldBuilder builder(space(0, 1, 20), space(0, 1, 16));
    builder.parameter("D", estimated(0.05)).field({"u", formula, "exp(-40*(x - 0.4)^2 - 20*(y - 0.3)^2)"});
    const model::Problem problem = builder.build();
    const Solved solved = solve(problem, {1e-3, 0.5, 3}, model::Rodas5p{1e-6});
    ASSERT_EQ(solved.at_stop.size(), 3u) << formula;
    const auto sum = [](const std::vector<double>& u) { return std::accumulate(u.begin(), u.end(), 0.0); };
    const double at_begin = sum(lane_of(problem, *solved.model, {1}).x0);
    for (const auto& u : solved.at_stop) EXPECT_NEAR(sum(u) / at_begin, 1, 1e-13) << formula;
  }
}

// What goes round a torus along both coordinates is back after a while, spread as it would have been at rest.
double torus_error(int cells, const std::string& scheme_of) {
  const model::Scheme scheme{.advection = model::Advection::central, .order = scheme_of == "4" ? 4 : 2};
  FieldBuilder builder(space(0, 1, cells), space(0, 1, cells), scheme);
  const std::pair<BoundaryKind, std::vector<std::string>> ring{BoundaryKind::periodic, {}};
  builder.parameter("D", estimated(0.002));
  builder.field({"u", "div(D*grad(u)) - dx(u) - 2*dy(u)", "1 + sin(6.283185307179586*x)*cos(6.283185307179586*y)", ring,
                 ring, ring, ring});
  const model::Problem problem = builder.build();
  const Solved solved = solve(problem, {1}, model::Rodas5p{1e-9});
  double worst = 0;
  for (int i = 0; i < cells * cells && !solved.at_stop.empty(); ++i) {
    const double x = (i % cells + 0.5) / cells;
    const double y = (i / cells + 0.5) / cells;
    const double exact = 1 + std::sin(2 * pi * x) * std::cos(2 * pi * y) * std::exp(-0.002 * 8 * pi * pi);
    worst = std::max(worst, std::abs(solved.at_stop[0][i] - exact));
  }
  return worst;
}
TEST(FieldsOnRectangles, GoRoundToTheOrderOfTheScheme) {
  EXPECT_NEAR(std::log2(torus_error(16, "2") / torus_error(32, "2")), 2, 0.2);
  EXPECT_NEAR(std::log2(torus_error(12, "4") / torus_error(24, "4")), 4, 0.3);
}

// Between cells and at walls with given values a field is exact where it is a cubic polynomial of either coordinate.
TEST(FieldsOnRectangles, AreReadAtPlacesAndOverStretches) {
  FieldBuilder builder(space(0, 1, 12), space(1, 3, 10));
  builder.field({.id = "u",
                 .formula = "0*u",
                 .initial = "(1 + x^3)*(2 - y + y^3)",
                 .left = {BoundaryKind::gradient, {"0"}},
                 .right = {BoundaryKind::gradient, {"0"}}});
  builder.observable("inside", "u(at: 0.377, 1.91)").observable("slope", "dy(u)(at: 0.5, 2.2)");
  builder.observable("corner", "u(at: 0, 3)").observable("all", "integral(integral(u, x, 0.25, 1), y)");
  builder.observable("mean", "mean(mean(u, x), y)");
  const Solved solved = solve(builder.build(), {1}, model::Rodas5p{1e-10});
  const auto exact = [](double x, double y) { return (1 + x * x * x) * (2 - y + y * y * y); };
  EXPECT_NEAR(observed(solved, 0, 0, 1, {}), exact(0.377, 1.91), 1e-11);
  EXPECT_NEAR(observed(solved, 1, 0, 1, {}), 1.125 * (-1 + 3 * 2.2 * 2.2), 1e-10);
  EXPECT_NEAR(observed(solved, 2, 0, 1, {}), exact(0, 3), 1e-9);
  double all = 0;
  double mean = 0;
  for (int i = 0; i < 120; ++i) {
    mean += solved.at_stop[0][i] / 120;
    if (i % 12 >= 3) all += solved.at_stop[0][i] * (1.0 / 12) * 0.2;
  }
  EXPECT_NEAR(observed(solved, 3, 0, 1, {}), all, 1e-12);
  EXPECT_NEAR(observed(solved, 4, 0, 1, {}), mean, 1e-12);
}

// Fluorescence that comes back into a bleached disc, f = e^(-2/s) (I0(2/s) + I1(2/s)) with s = 4 D t/w^2 (Soumpasis). A
// quarter of the plane has no flux through its symmetry axes.
TEST(FieldsOnRectangles, FillABleachedDisc) {
  const int cells = 60;
  FieldBuilder builder(space(0, 5, cells), space(0, 5, cells));
  builder.parameter("D", estimated(0.25)).field({"u", "div(D*grad(u))", "piecewise(0, x^2 + y^2 < 1, 1)"});
  const model::Problem problem = builder.build();
  const Solved solved = solve(problem, {0.5, 1, 2}, model::Rodas5p{1e-6});
  const std::vector<double> inside = lane_of(problem, *solved.model, {1}).x0;  // 0 in the disc
  double disc = 0;
  for (const double outside : inside) disc += 1 - outside;
  EXPECT_NEAR(disc * 25 / (cells * cells), pi / 4, 1e-3);
  const double soumpasis[] = {0.3857527607, 0.5237776118, 0.6736700229};
  for (int k = 0; k < 3; ++k) {
    double f = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) f += (1 - inside[i]) * solved.at_stop[k][i] / disc;
    EXPECT_NEAR(f, soumpasis[k], 3e-3) << k;
  }
}

TEST(FieldsOnRectangles, HaveTheDerivativesOfDifferences) {
  FieldBuilder builder(space(0, 1, 6), space(0, 1, 5));
  builder.parameter("D", estimated(0.05)).parameter("g", estimated(0.8));
  builder.field({.id = "u",
                 .formula = "div(D*(1 + u)*grad(u)) - g*dy(u) + g*u*(1 - u)",
                 .initial = "g*exp(-x)",
                 .left = {BoundaryKind::value, {"g"}},
                 .top = {BoundaryKind::robin, {"g", "1", "0.3"}}});
  builder.observable("seen", "u(at: 0.3, 0.6)").measure(0, 0.4, 0.2);
  const model::Problem problem = builder.build();
  const auto model = compile::compile(problem);
  Flight<1> flight(model, model::Rodas5p{1e-9}, {lane_of(problem, *model, {0.4})});
  flight.integrate();
  const auto tangents = flight.tangents()[0][0];
  const int all = 30;
  const double h = 1e-5;
  for (const int k : {0, 1}) {
    const auto moved = [&](double step) {
      Lane lane = lane_of(problem, *model, {0.4});
      lane.p[k] += step;
      Flight<1> other(model, model::Rodas5p{1e-12}, {lane});
      other.integrate();
      return other.at_stop(0, 0);
    };
    const auto up = moved(h);
    const auto down = moved(-h);
    for (int i = 0; i < all; ++i) EXPECT_NEAR(tangents[all * all + k * all + i], (up[i] - down[i]) / (2 * h), 2e-6);
  }
}

}  // namespace
}  // namespace salvo::integrate
