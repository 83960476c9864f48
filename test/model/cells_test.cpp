#include "model/cells.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "helpers/field_problems.hpp"
#include "model/cells/algebra.hpp"
#include "model/cells/grid.hpp"
#include "model/cells/near_cell.hpp"
#include "model/cells/places.hpp"
#include "model/cells/sign.hpp"
#include "model/cells/take_apart.hpp"
#include "model/on_cells.hpp"

// What dividing space makes of a problem; what it computes is tested with the integrators.
namespace salvo::model {
namespace {

using test::FieldBuilder;

Space space(int cells, Geometry geometry = Geometry::line) {
  return {.from = 0, .to = 2, .cells = cells, .geometry = geometry};
}

TEST(Cells, FillSpace) {
  for (const auto& [geometry, whole] : {std::pair{Geometry::line, 2.0},
                                        {Geometry::cylinder, 4 * std::numbers::pi},
                                        {Geometry::sphere, 32 * std::numbers::pi / 3}}) {
    const cells::Grid grid(space(7, geometry));
    double sum = 0;
    for (int i = 0; i < 7; ++i) sum += grid.around() * grid.volume(i);
    EXPECT_NEAR(sum, whole, 1e-12);
    EXPECT_EQ(grid.has_centre(), geometry != Geometry::line);
  }
}

TEST(Cells, ReadCubicFunctionsExactly) {
  const std::vector<double> nodes{0, 0.5, 1.5, 2.5};
  const std::vector<double> values = cells::lagrange(nodes, 0.8, false);
  const std::vector<double> slopes = cells::lagrange(nodes, 0.8, true);
  double value = 0;
  double slope = 0;
  for (int i = 0; i < 4; ++i) {
    value += values[i] * std::pow(nodes[i], 3);
    slope += slopes[i] * std::pow(nodes[i], 3);
  }
  EXPECT_NEAR(value, 0.512, 1e-14);
  EXPECT_NEAR(slope, 3 * 0.64, 1e-13);
}

FieldBuilder carried() {
  FieldBuilder builder(space(20));
  builder.parameter("D", test::within(0.1, 0, 1)).parameter("v", test::within(3, 0.5, 9));
  builder.field({"u", "div(D*grad(u)) - v*dx(u) + u*(1 - u)", "x"});
  return builder;
}

TEST(Cells, TakeEquationsApart) {
  Problem problem = carried().problem();
  cells::Algebra algebra{problem.graph};
  std::vector<std::string> faults;
  const cells::FieldEquation equation = cells::take_apart(problem, algebra, 0, faults);
  EXPECT_TRUE(faults.empty());
  ASSERT_EQ(equation.transports.size(), 2u);
  EXPECT_EQ(equation.parts[0].gradients.size() + equation.parts[1].gradients.size(), 1u);
  EXPECT_NEAR(largest_peclet(carried().build()), 3 * 0.1 / 0.1, 1e-12);
}

TEST(Cells, KnowTheSignOfWhatBoundsKeepOnOneSide) {
  Problem problem = carried().problem();
  const NodeId D = problem.parameters[0].symbol;
  const NodeId v = problem.parameters[1].symbol;
  cells::Algebra algebra{problem.graph};
  EXPECT_EQ(cells::sure_sign(problem, problem.graph, algebra.product(D, v)), 1);
  EXPECT_EQ(cells::sure_sign(problem, problem.graph, problem.graph.negate(v)), -1);
  EXPECT_EQ(cells::sure_sign(problem, problem.graph, algebra.difference(v, D)), 0);
  EXPECT_EQ(cells::sure_sign(problem, problem.graph, problem.fields[0].symbol), 0);
}

// Every cell would depend on every other one.
TEST(Cells, RefuseEquationsThatSpeakOfOtherPlaces) {
  for (const std::string far : {"integral(u, x)", "mean(u, x, 0, 1)", "u(at: 1)"}) {
    FieldBuilder builder(space(20));
    builder.field({"u", "dxx(u) + " + far, "x"});
    Problem problem = builder.problem();
    const Issues issues = put_on_cells(problem);
    ASSERT_EQ(issues.size(), 1u) << far;
    EXPECT_NE(issues[0].message.find("not of integrals"), std::string::npos);
    EXPECT_TRUE(problem.states.empty());
  }
}

TEST(Cells, StandBehindOtherStatesAndAreDividedAnew) {
  FieldBuilder builder = carried();
  builder.state("tank", "v*integral(u, x)", "1");
  const Problem problem = builder.build();
  EXPECT_EQ(problem.states.size(), 21u);
  EXPECT_EQ(ordinary_states(problem), 1u);
  EXPECT_EQ(problem.experiments[0].initial.size(), 21u);
  const Problem halved = with_cells(problem, 10);
  EXPECT_EQ(halved.states.size(), 11u);
  EXPECT_EQ(ordinary_states(halved), 1u);
  EXPECT_EQ(equations(halved).size(), 1 + halved.cells.stencils.size());
  EXPECT_EQ(with_cells(halved, 20).cells.stencils.size(), problem.cells.stencils.size());
}

}  // namespace
}  // namespace salvo::model
