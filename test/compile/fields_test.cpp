#include <gtest/gtest.h>

#include <cmath>

#include "compile/accelerate.hpp"
#include "compile/compiled_model.hpp"
#include "compile/loops.hpp"
#include "compile/stencil_kernels.hpp"
#include "helpers/field_problems.hpp"

// Loops over the cells of fields against the same equations with a formula for every cell.
namespace salvo::compile {
namespace {

using model::BoundaryKind;
using test::estimated;
using test::FieldBuilder;

model::Space line(int cells, model::Geometry geometry = model::Geometry::line, double from = 0) {
  return {.from = from, .to = 2, .cells = cells, .geometry = geometry};
}

// Two fields with all kinds of terms, and a tank beside them that feels their integral.
model::Problem everything(int cells, model::Geometry geometry, model::Advection advection, bool periodic = false) {
  FieldBuilder builder(line(cells, geometry), {.advection = advection});
  builder.parameter("D", estimated(0.03)).parameter("v", test::within(0.9, 0, 10)).parameter("r", estimated(0.7));
  const auto at = [&](BoundaryKind kind, const std::vector<std::string>& terms) {
    return periodic ? std::pair<BoundaryKind, std::vector<std::string>>{BoundaryKind::periodic, {}}
                    : std::pair<BoundaryKind, std::vector<std::string>>{kind, terms};
  };
  builder
      .field({.id = "u",
              .formula = "div(D*(1 + u^2)*grad(u)) - v*dx(u) + r*u*(1 - w) + 0.1*sin(t)",
              .initial = "1 + 0.3*cos(3*x)",
              .left = at(BoundaryKind::value, {"1 + 0.1*sin(t)*r"}),
              .right = at(BoundaryKind::gradient, {"0"})})
      .field({.id = "w",
              .formula = "D*(1 + x)*dxx(w) + div((1 + x)*D*grad(w) - 0.2*w*grad(u)) - dx(w*w)*0.1 + r*u*w",
              .initial = "0.5 + 0.2*sin(2*x)",
              .left = at(BoundaryKind::flux, {"0.1*r"}),
              .right = at(BoundaryKind::robin, {"r", "0.3", "0.2 + 0.1*tank"})});
  builder.state("tank", "r*integral(u, x, 0.3, 1.7) - tank*w(at: 0.4)*t", "0.2");
  builder.observable("seen", "u*w").measure(0, 1, 1, 0.77);
  return builder.build();
}

struct Point {
  double time = 0.4;
  std::vector<double> x{}, p{0.03, 0.9, 0.7};
};
Point point(const CompiledModel& model) {
  Point out;
  for (int i = 0; i < model.states; ++i) out.x.push_back(0.7 + 0.4 * std::sin(1.0 + 2.3 * i));
  return out;
}
std::vector<double> wave(int count, double phase) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(std::cos(phase + 1.7 * i));
  return out;
}

template <int W>
std::vector<double> spread(const std::vector<double>& numbers) {
  std::vector<double> out;
  for (const double number : numbers)
    for (int l = 0; l < W; ++l) out.push_back(number * (1 + 0.01 * l));
  return out;
}

// Outputs of lane l.
template <int W>
std::vector<double> run(const Kernel& kernel, const Point& at, const std::vector<double>& seed = {},
                        const std::vector<double>& kept = {}, int sums = 0, int lane = 0) {
  std::vector<double> work(static_cast<std::size_t>(kernel.work_size()) * W);
  std::vector<double> out(static_cast<std::size_t>(kernel.output_count() + sums) * W);
  const std::vector<double> time(W, at.time);
  const auto x = spread<W>(at.x), p = spread<W>(at.p), s = spread<W>(seed), k = spread<W>(kept);
  const Arguments arguments{
      .time = time.data(), .state = x.data(), .parameter = p.data(), .seed = s.data(), .kept = k.data()};
  kernel.run<W>(arguments, work.data(), out.data());
  kernel.add_sums<W>(arguments, work.data(), {}, 1, out.data() + static_cast<std::size_t>(kernel.output_count()) * W);
  std::vector<double> of_lane;
  for (std::size_t i = lane; i < out.size(); i += W) of_lane.push_back(out[i]);
  return of_lane;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double part = 1e-11) {
  ASSERT_EQ(a.size(), b.size());
  double size = 0;
  for (const double value : b) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], part * size) << i;
}

std::vector<double> dense(const Pattern& pattern, const double* values, int rows, int columns) {
  std::vector<double> out(static_cast<std::size_t>(rows) * columns);
  for (int z = 0; z < pattern.size(); ++z) out[pattern.row[z] * columns + pattern.column[z]] += values[z];
  return out;
}
std::vector<double> dense(const Lines& lines, const double* values, int across) {
  std::vector<double> out((lines.start.size() - 1) * across);
  for (std::size_t i = 0; i + 1 < lines.start.size(); ++i)
    for (int k = lines.start[i]; k < lines.start[i + 1]; ++k)
      out[i * across + lines.across[k]] += values[lines.place[k]];
  return out;
}

template <int W>
void expect_same_functions(const CompiledModel& loops, const CompiledModel& formulas, int lane = 0) {
  const Point at = point(loops);
  const int d = loops.states;
  const int m = loops.active;
  const std::vector<double> lambda = wave(d, 0.3), dx = wave(d, 0.9), along = wave(d + m, 2.0), time_weight{0.37};
  const auto same = [&](const Kernel& a, const Kernel& b, const std::vector<double>& seed, int sums) {
    expect_near(run<W>(a, at, seed, {}, sums, lane), run<W>(b, at, seed, {}, sums, lane));
  };
  auto f = run<W>(formulas.rhs, at, {}, {}, 0, lane);
  f.resize(d);
  expect_near(run<W>(loops.rhs, at, {}, {}, 0, lane), f);
  // What f keeps is of no concern for models that keep nothing.
  if (formulas.kept == 0) {
    same(loops.vjp, formulas.vjp, lambda, m);
    same(loops.jvp_x, formulas.jvp_x, dx, 0);
    same(loops.jvp, formulas.jvp, along, 0);
  }
  const auto matrix = [&](const CompiledModel& model) {
    const auto entries = run<W>(model.jacobian, at, {}, {}, 0, lane);
    auto out = dense(model.f_x, entries.data(), d, d);
    const auto by_p = dense(model.f_p, entries.data() + model.f_x.size(), d, m);
    out.insert(out.end(), by_p.begin(), by_p.end());
    const auto again = dense(model.columns, entries.data(), d);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) EXPECT_EQ(out[i * d + j], again[j * d + i]);
    return out;
  };
  expect_near(matrix(loops), matrix(formulas));

  const StiffKernels& stiff = loops.stiff->kernels();
  const StiffKernels& reference = formulas.stiff->kernels();
  const auto linear = [&](const CompiledModel& model, const StiffKernels& kernels) {
    const auto entries = run<W>(kernels.linearization, at, {}, {}, 0, lane);
    std::vector<double> out(entries.begin(), entries.begin() + d);
    const auto f_x = dense(model.f_x, entries.data() + d, d, d);
    out.insert(out.end(), f_x.begin(), f_x.end());
    out.insert(out.end(), entries.begin() + d + model.f_x.size(), entries.end());
    return out;
  };
  expect_near(linear(loops, stiff), linear(formulas, reference));
  const auto curved = [&](const StiffKernels& kernels) {
    const auto entries = run<W>(kernels.curvature, at, dx, time_weight, 0, lane);
    auto out = dense(kernels.curvature_rows, entries.data(), d);
    const auto columns = dense(kernels.curvature_columns, entries.data(), d);
    out.insert(out.end(), columns.begin(), columns.end());
    return out;
  };
  expect_near(curved(stiff), curved(reference));
  const auto pulled = [&](const CompiledModel& model, const StiffKernels& kernels) {
    std::vector<double> weights;
    for (int z = 0; z < model.f_x.size(); ++z)
      weights.push_back(std::cos(0.7 * model.f_x.row[z]) * std::sin(1 + 1.1 * model.f_x.column[z]));
    const std::vector<double> of_time = wave(d, 1.4);
    weights.insert(weights.end(), of_time.begin(), of_time.end());
    return run<W>(kernels.second_pull, at, weights, {}, m, lane);
  };
  // Entries that stand in two pieces have two weights, which are the same.
  expect_near(pulled(loops, stiff), pulled(formulas, reference));
}

TEST(Fields, AreTheSameAsAFormulaForEveryCell) {
  for (const auto geometry : {model::Geometry::line, model::Geometry::sphere})
    for (const auto advection : {model::Advection::limited, model::Advection::central, model::Advection::upwind})
      for (const bool periodic : {false, true}) {
        if (periodic && geometry != model::Geometry::line) continue;
        SCOPED_TRACE(testing::Message() << static_cast<int>(geometry) << " " << static_cast<int>(advection) << " "
                                        << periodic);
        const model::Problem problem = everything(13, geometry, advection, periodic);
        const auto loops = compile(problem);
        const auto formulas = compile(test::unrolled(problem));
        expect_same_functions<1>(*loops, *formulas);
        expect_same_functions<4>(*loops, *formulas, 3);
        expect_same_functions<8>(*loops, *formulas, 5);
      }
}

// Two fields on a rectangle that flow, spread and react, with another condition at every wall.
model::Problem rectangle(model::Scheme scheme, bool is_periodic_along_y) {
  FieldBuilder builder(line(7), {.from = -1, .to = 1, .cells = 6}, scheme);
  builder.parameter("D", estimated(0.03)).parameter("v", test::within(0.9, 0, 10)).parameter("r", estimated(0.7));
  using Condition = std::pair<BoundaryKind, std::vector<std::string>>;
  const auto at = [&](BoundaryKind kind, const std::vector<std::string>& terms) {
    return is_periodic_along_y ? Condition{BoundaryKind::periodic, {}} : Condition{kind, terms};
  };
  builder
      .field({.id = "u",
              .formula = "div(D*(1 + u^2)*grad(u)) - v*dx(u) + r*dy(u*w) + r*u*(1 - w) + 0.1*sin(t)*x*y",
              .initial = "1 + 0.3*cos(3*x)*y",
              .left = {BoundaryKind::value, {"1 + 0.1*sin(t)*r"}},
              .right = {BoundaryKind::gradient, {"0"}},
              .bottom = at(BoundaryKind::flux, {"0.1*r"}),
              .top = at(BoundaryKind::value, {"r"})})
      .field({.id = "w",
              .formula = "D*(1 + x)*dxx(w) + D*dyy(w*(2 + y)) + dx(u)*dy(w) - v*(0.2 + y^2)*dx(w) + r*u*w",
              .initial = "0.5 + 0.2*sin(2*x + y)",
              .left = {BoundaryKind::flux, {"0.1*r"}},
              .right = {BoundaryKind::robin, {"r", "0.3", "0.2 + 0.1*tank"}},
              .bottom = at(BoundaryKind::gradient, {"0.3"}),
              .top = at(BoundaryKind::robin, {"1", "r", "0.4"})});
  builder.state("tank", "r*integral(integral(u, x, 0.3, 1.7), y) - tank*w(at: 0.4, 0.2)*t", "0.2");
  builder.observable("seen", "u*w").measure(0, 1, 1, 0.77, -0.3);
  return builder.build();
}

TEST(Fields, OfRectanglesAreTheSameAsAFormulaForEveryCell) {
  for (const auto advection : {model::Advection::limited, model::Advection::central, model::Advection::upwind})
    for (const int order : {2, 4})
      for (const bool is_periodic : {false, true}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(advection) << " " << order << " " << is_periodic);
        const model::Problem problem = rectangle({.advection = advection, .order = order}, is_periodic);
        ASSERT_EQ(problem.states.size(), 2u * 42 + 1);
        const auto loops = compile(problem);
        const auto formulas = compile(test::unrolled(problem));
        expect_same_functions<1>(*loops, *formulas);
        expect_same_functions<4>(*loops, *formulas, 3);
      }
}

// Up to rounding: machine code adds products in one rounding.
TEST(Fields, AreTheSameInMachineCode) {
  const model::Problem problem = everything(21, model::Geometry::cylinder, model::Advection::limited);
  const auto loops = compile(problem);
  for (const int lanes : {1, 4, 8}) {
    const Accelerated made = accelerate(*loops, {.lanes = lanes, .directions = true, .stiff = true});
    ASSERT_TRUE(made.model) << made.trouble;
    const Point at = point(*loops);
    const auto same = [&](const Kernel& a, const Kernel& b) {
      const std::vector<double> seed = wave(2000, 0.2);
      if (lanes == 1) expect_near(run<1>(a, at, seed, {0.3}, 3), run<1>(b, at, seed, {0.3}, 3));
      if (lanes == 4) expect_near(run<4>(a, at, seed, {0.3}, 3, 2), run<4>(b, at, seed, {0.3}, 3, 2));
      if (lanes == 8) expect_near(run<8>(a, at, seed, {0.3}, 3, 2), run<8>(b, at, seed, {0.3}, 3, 2));
    };
    same(made.model->rhs, loops->rhs);
    same(made.model->vjp, loops->vjp);
    same(made.model->jvp, loops->jvp);
    same(made.model->stiff->kernels().linearization, loops->stiff->kernels().linearization);
    same(made.model->stiff->kernels().second_pull, loops->stiff->kernels().second_pull);
    // The bodies of the model itself were left alone.
    EXPECT_FALSE(loops->rhs.loops() == made.model->rhs.loops());
  }
}

TEST(Fields, KnowTheGeometryOfSecondDerivatives) {
  const auto faults = [](const std::string& formula) {
    FieldBuilder builder(line(20, model::Geometry::sphere));
    builder.parameter("D", estimated(0.1)).field({"u", formula, "x"});
    return model::put_on_cells(builder.problem()).size();
  };
  EXPECT_EQ(faults("D*dxx(u)"), 0);
  EXPECT_EQ(faults("D*dxx(u) + 2*D/x*dx(u)"), 1);
  EXPECT_EQ(faults("grad(u)"), 1);
  EXPECT_EQ(faults("sin(dxx(u))"), 1);
}

TEST(Fields, ReadBetweenCellsAreExactForCubicFunctions) {
  model::Problem problem = everything(24, model::Geometry::line, model::Advection::central);
  const auto model = compile(problem);
  const auto found = model->readings.find({0, {0.77, 0}});
  ASSERT_NE(found, model->readings.end());
  Point at = point(*model);
  const auto u = [](double x) { return 1 + x - 2 * x * x + x * x * x; };
  const auto w = [](double x) { return 0.3 - x + x * x * x; };
  for (int i = 0; i < 24; ++i) {
    const double x = problem.space[0].centre(i);
    at.x[1 + 2 * i] = u(x);
    at.x[2 + 2 * i] = w(x);
  }
  EXPECT_NEAR(run<1>(found->second.value, at)[0], u(0.77) * w(0.77), 1e-13);
}

}  // namespace
}  // namespace salvo::compile
