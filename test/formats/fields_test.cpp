#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::formats::fields_test {
namespace {

const std::string parameters = "parameters: {D: {guess: 0.5}, v: 2}\n";
const std::string observed = "observables: {c: {formula: u, noise: 0.1}, m: {formula: \"mean(u, x)\", noise: 0.1}}\n";
const std::string rows = "time,x,c,m\n0,0.5,1,\n2,1,0.3,0.4\n";

Result<model::Problem> read(const std::string& yaml, const std::string& start = {}, const std::string& data = rows) {
  const Folder folder({{"problem.yaml", yaml}, {"data.csv", data}, {"start.csv", start}});
  return read_problem(folder / "problem.yaml");
}

model::Problem good(const std::string& yaml, const std::string& start = {}, const std::string& data = rows) {
  auto result = read(yaml + parameters + observed + "data: data.csv\n", start, data);
  if (result) return *std::move(result);
  for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

const std::string field =
    "space: {x: {from: 0, to: 1, cells: 20, unit: cm}}\nfields: {u: div(D*grad(u)) - v*dx(u)}\n"
    "boundary: {u: {left: {robin: [v, D, v*t]}, right: {gradient: 0}}}\n";

TEST(Fields, AreReadWithSpaceBoundaryAndScheme) {
  const auto problem = good(field + "initial: {u: exp(-x)*v}\nscheme: {advection: central, order: 4}\n");
  ASSERT_EQ(problem.space.size(), 1u);
  EXPECT_EQ(problem.space[0].to, 1);
  EXPECT_EQ(problem.space[0].cells, 20);
  EXPECT_EQ(problem.space[0].axis.unit, "cm");
  ASSERT_EQ(problem.fields.size(), 1u);
  EXPECT_EQ(model::ordinary_states(problem), 0u);
  const model::Field& u = problem.fields[0];
  EXPECT_EQ(expression::print(problem.graph, u.derivative), "div(D*grad(u)) - v*dx(u)");
  EXPECT_EQ(u.at(model::Side::left).kind, model::BoundaryKind::robin);
  EXPECT_EQ(expression::print(problem.graph, u.at(model::Side::left).terms[2]), "t*v");
  EXPECT_EQ(u.at(model::Side::right).kind, model::BoundaryKind::gradient);
  EXPECT_EQ(problem.scheme.advection, model::Advection::central);
  EXPECT_EQ(problem.scheme.order, 4);
}

TEST(Fields, AreMeasuredWhereAColumnSaysAndAtNoPlaceWhereTheyAreMeans) {
  const auto problem = good(field + "initial: {u: 0}\n");
  ASSERT_EQ(problem.measurements.size(), 3u);
  EXPECT_EQ(problem.measurements[0].place[0], 0.5);
  EXPECT_EQ(problem.measurements[1].place[0], 1);
  EXPECT_FALSE(problem.measurements[2].place[0].has_value());
  EXPECT_EQ(model::open_coordinates(problem, problem.observables[0].formula), 1u);
  EXPECT_EQ(model::open_coordinates(problem, problem.observables[1].formula), 0u);
}

TEST(Fields, BeginAsATableSays) {
  const auto problem =
      good(field + "initial: {u: {data: start.csv, position: cm, column: dye}}\n", "cm,dye\n0,1\n0.5,2\n1,0\n");
  const auto& table = std::get<std::shared_ptr<const model::PositionTable>>(problem.experiments[0].initial_fields[0]);
  EXPECT_EQ(table->at(0.25), 1.5);
  EXPECT_DOUBLE_EQ(table->mean(0, 1), (0.5 * 1.5 + 0.5 * 1));
  EXPECT_DOUBLE_EQ(table->mean(-1, 0.5), (1 + 0.75) / 1.5);
}

TEST(Fields, BeginInEveryExperimentAsItsRowsSay) {
  const auto problem = good(field + "initial: {u: {data: start.csv}}\nexperiments: {a: {}, b: {initial: {u: x}}}\n",
                            "experiment,x,u\na,0,1\na,1,3\n", "experiment,time,x,c\na,0,0.5,1\nb,2,1,0.3\n");
  const auto& of_a = problem.experiments[0].initial_fields[0];
  EXPECT_EQ(std::get<std::shared_ptr<const model::PositionTable>>(of_a)->at(0.5), 2);
  EXPECT_EQ(std::get<expression::NodeId>(problem.experiments[1].initial_fields[0]), problem.space[0].symbol);
}

double value_at(const model::Problem& problem, double x, const std::map<std::string, double>& given) {
  expression::Graph graph = problem.graph;
  std::vector<expression::NodeId> from{problem.space[0].symbol};
  std::vector<expression::NodeId> to{graph.constant(x)};
  for (const auto& [name, value] : given) {
    from.push_back(graph.symbol(name));
    to.push_back(graph.constant(value));
  }
  const expression::NodeId node = std::get<expression::NodeId>(problem.experiments[0].initial_fields[0]);
  return graph[expression::substitute(graph, {&node, 1}, from, to)[0]].value;
}

TEST(Fields, BeginAtKnotsWithLinesBetweenThem) {
  const auto problem = good(field + "initial: {u: {knots: 3, guess: 2, bounds: [0, 9]}}\n");
  ASSERT_EQ(problem.parameters.size(), 5u);
  EXPECT_EQ(problem.parameters[2].id, "u_knot_1");
  EXPECT_EQ(std::get<model::Estimated>(problem.parameters[4].value).upper, 9);
  const std::map<std::string, double> values{{"u_knot_1", 1}, {"u_knot_2", 5}, {"u_knot_3", 3}};
  for (const auto& [x, expected] :
       std::vector<std::pair<double, double>>{{0, 1}, {0.25, 3}, {0.5, 5}, {0.75, 4}, {1, 3}})
    EXPECT_DOUBLE_EQ(value_at(problem, x, values), expected);
}

// What is believed to be small is the second difference of the values at the knots, which follow from it.
TEST(Fields, BendsAreSecondDifferencesOfKnots) {
  const auto problem = good(field + "initial: {u: {knots: 5, guess: 2, smoothness: 0.1}}\n");
  const std::map<std::string, double> bends{
      {"u_knot_1", 1}, {"u_knot_5", 4}, {"u_bend_2", 0.3}, {"u_bend_3", -2}, {"u_bend_4", 0.7}};
  const auto v = [&](int i) { return value_at(problem, 0.25 * i, bends); };
  EXPECT_DOUBLE_EQ(v(0), 1);
  EXPECT_DOUBLE_EQ(v(4), 4);
  EXPECT_NEAR(v(0) - 2 * v(1) + v(2), 0.3, 1e-14);
  EXPECT_NEAR(v(1) - 2 * v(2) + v(3), -2, 1e-14);
  EXPECT_NEAR(v(2) - 2 * v(3) + v(4), 0.7, 1e-14);
  EXPECT_EQ(std::get<model::Estimated>(problem.parameters[4].value).prior->spread, 0.1);
  ASSERT_EQ(problem.derived.size(), 3u);
  EXPECT_EQ(problem.derived[1].id, "u_knot_3");
}

std::string first_issue(const std::string& yaml) {
  const auto result = read(yaml + parameters + observed + "data: data.csv\n");
  return result ? "none" : result.issues().front().message;
}

TEST(Fields, HaveNamesOfTheirOwnAndCoordinatesThatAreKnown) {
  const std::string start = "initial: {u: 0}\n";
  const auto twice = read("equations: {u: -v*u}\n" + field + start + parameters + observed + "data: data.csv\n");
  ASSERT_FALSE(twice);
  const auto says_so = [](const Issue& issue) { return issue.message.find("'u' is defined twice") == 0; };
  EXPECT_TRUE(std::any_of(twice.issues().begin(), twice.issues().end(), says_so));
  std::string other = field;
  other.replace(other.find("{x:"), 3, "{z:");
  EXPECT_EQ(first_issue(other + start), "'z' cannot be a coordinate here");
  EXPECT_EQ(first_issue(field.substr(field.find("fields")) + start),
            "the section 'space' is missing: fields live in space");
}

TEST(Fields, APeriodicFieldSaysSoOnce) {
  const auto problem =
      good("space: {x: {to: 1}}\nfields: {u: D*dxx(u)}\nboundary: {u: periodic}\ninitial: {u: sin(2*pi*x)}\n");
  EXPECT_EQ(problem.space[0].cells, 100);
  EXPECT_EQ(problem.fields[0].at(model::Side::left).kind, model::BoundaryKind::periodic);
  EXPECT_EQ(problem.fields[0].at(model::Side::right).kind, model::BoundaryKind::periodic);
}

TEST(Fields, TheCentreOfASphereIsNoBoundary) {
  const auto problem = good(
      "space: {x: {to: 1, geometry: sphere}}\nfields: {u: D*dxx(u)}\nboundary: {u: {right: {value: 1}}}\n"
      "initial: {u: 0}\n");
  EXPECT_EQ(problem.space[0].geometry, model::Geometry::sphere);
  EXPECT_EQ(problem.fields[0].at(model::Side::right).kind, model::BoundaryKind::value);
}

}  // namespace
}  // namespace salvo::formats::fields_test
