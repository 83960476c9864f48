#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

bool speaks_of(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// A rod that cools through both ends, u = sin(pi x) exp(-pi^2 D t), measured without noise at D = 0.1.
class FieldCommands : public ::testing::Test {
 protected:
  FieldCommands() {
    folder_.write("rod.yaml",
                  "space: {x: {from: 0, to: 1, cells: 64}}\nfields: {u: D*dxx(u)}\n"
                  "boundary: {u: {left: {value: 0}, right: {value: 0}}}\ninitial: {u: sin(pi*x)}\n"
                  "parameters: {D: {guess: 0.3, bounds: [0.01, 2]}}\nobservables: {seen: {formula: u, noise: 0.001}}\n"
                  "data: data.csv\n");
    std::string data = "time,x,seen\n";
    for (const double t : {0.5, 1.0, 2.0})
      for (const double x : {0.0, 0.13, 0.5, 0.81}) data += fmt::format("{},{},{:.10g}\n", t, x, exact(t, x));
    folder_.write("data.csv", data);
  }
  static double exact(double t, double x) { return std::sin(M_PI * x) * std::exp(-M_PI * M_PI * 0.1 * t); }

  Folder folder_;
};

TEST_F(FieldCommands, AFitTellsWhatTheGridDoes) {
  const Outcome outcome = folder_.salvo("fit rod.yaml --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out.substr(0, 2000);
  EXPECT_TRUE(speaks_of(outcome.out, "\"grid_error\""));
  EXPECT_TRUE(speaks_of(outcome.out, "\"extrapolated\""));
  EXPECT_TRUE(speaks_of(folder_.read("rod.fit/residuals.csv"), "observable,time,x,value"));
  EXPECT_TRUE(speaks_of(folder_.read("rod.fit/trajectories.csv"), "experiment,time,x,u"));
  EXPECT_TRUE(speaks_of(folder_.read("rod.fit/fields.csv"), "experiment,observable,time,x,value,lower,upper\n"));
  EXPECT_TRUE(speaks_of(folder_.read("rod.fit/fields.svg"), "<svg"));
}

TEST_F(FieldCommands, TooFewCellsAreNoAnswerUnlessTheyAreAccepted) {
  const Outcome few = folder_.salvo("fit rod.yaml --cells 16");
  EXPECT_EQ(few.code, 4) << few.out << few.err;
  EXPECT_TRUE(speaks_of(few.out, "estimates of the grid")) << few.out;
  EXPECT_TRUE(speaks_of(few.out, "--cells"));
  EXPECT_EQ(folder_.salvo("fit rod.yaml --cells 16 --accept-grid-error").code, 0);
}

TEST_F(FieldCommands, ASimulationTellsFieldsAtTimesAndPlaces) {
  const Outcome outcome = folder_.salvo("simulate rod.yaml --at 0.5,1 --places 0,0.25 --parameters D=0.1 --cells 200");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("experiment,time,x,u,seen\n")) << outcome.out.substr(0, 200);
  const std::size_t row = outcome.out.find("\ndefault,1,0.25,");
  ASSERT_NE(row, std::string::npos) << outcome.out;
  EXPECT_NEAR(std::stod(outcome.out.substr(row + 16)), exact(1, 0.25), 2e-5);
}

TEST_F(FieldCommands, ASimulationAsJsonHasRowsOfPlaces) {
  const Outcome outcome = folder_.salvo("simulate rod.yaml --at 0.5,1 --places 0,0.25 --parameters D=0.1 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(speaks_of(outcome.out, "\"seen\""));
  EXPECT_FALSE(speaks_of(outcome.out, "u[1]"));
  const Outcome cells = folder_.salvo("simulate rod.yaml --at 1 --parameters D=0.1 --json --cells 8");
  ASSERT_EQ(cells.code, 0) << cells.err;
  EXPECT_TRUE(speaks_of(cells.out, "0.0625"));  // the centre of the first cell
}

// Without a start, a field begins at time 0, where it is stated, however late the data are.
TEST_F(FieldCommands, AFieldBeginsWhereItIsStated) {
  folder_.write("late.yaml",
                folder_.read("rod.yaml").replace(folder_.read("rod.yaml").find("data.csv"), 8, "late.csv"));
  folder_.write("late.csv",
                fmt::format("time,x,seen\n2,0.5,{:.10g}\n2.2,0.5,{:.10g}\n", exact(2, 0.5), exact(2.2, 0.5)));
  const Outcome outcome = folder_.salvo("fit late.yaml --json --accept-grid-error");
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out.substr(0, 500);
  const std::string table = folder_.read("late.fit/estimates.tsv");
  EXPECT_NEAR(std::stod(table.substr(table.find("\nD\t") + 4)), 0.1, 1e-3) << table;
}

TEST_F(FieldCommands, PredictionsAreAtPlacesOrOverSpace) {
  for (const std::string formula : {"'u(at: 0.25)@1.5'", "'default:u(at: 0.25)@1.5'", "'integral(u, x)@1.5'"}) {
    const Outcome outcome = folder_.salvo("profile rod.yaml --parameters D --predict " + formula);
    EXPECT_EQ(outcome.code, 0) << formula << outcome.err << outcome.out;
  }
  const Outcome profile = folder_.salvo("profile rod.yaml --predict 'u(at: 0.25)@1.5' --json");
  EXPECT_TRUE(speaks_of(profile.out, fmt::format("{:.3f}", exact(1.5, 0.25)).substr(0, 4)))
      << profile.out.substr(0, 900);
  for (const std::string formula : {"seen@1.5", "u@1.5", "'u(at: 7)@1.5'"}) {
    const Outcome outcome = folder_.salvo("profile rod.yaml --predict " + formula);
    EXPECT_EQ(outcome.code, 1) << formula << outcome.out;
  }
}

TEST_F(FieldCommands, WhatHasAnotherValueAtEachPlaceIsNotMeasuredByADesign) {
  folder_.write("design.yaml",
                folder_.read("rod.yaml") +
                    "design: {measure: [{observables: [seen], times: [1, 2], at most: 2}], criterion: D, "
                    "budget: 2}\n");
  const Outcome outcome = folder_.salvo("design design.yaml");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(speaks_of(outcome.err, "another value at each place")) << outcome.err;
}

TEST_F(FieldCommands, ACheckSaysWhereToMeasureAndDoesNotCountCellsAmongWhatIsHidden) {
  const Outcome check = folder_.salvo("check rod.yaml");
  EXPECT_TRUE(speaks_of(check.out, "and x = 0.5")) << check.out;
  EXPECT_FALSE(speaks_of(check.out, "u[1]")) << check.out;
}

// A plate that cools through two walls, u = sin(pi x) cos(pi y) exp(-2 pi^2 D t), with its data on both coordinates.
class PlateCommands : public ::testing::Test {
 protected:
  PlateCommands() {
    folder_.write("plate.yaml",
                  "space: {x: {from: 0, to: 1, cells: 24}, y: {from: 0, to: 1, cells: 24}}\n"
                  "fields: {u: D*dxx(u) + D*dyy(u)}\n"
                  "boundary: {u: {left: {value: 0}, right: {value: 0}, bottom: {flux: 0}, top: {flux: 0}}}\n"
                  "initial: {u: sin(pi*x)*cos(pi*y)}\nparameters: {D: {guess: 0.07, bounds: [0.01, 2]}}\n"
                  "observables: {seen: {formula: u, noise: 0.02}, near: {formula: \"u(at: 0.3, 0.2)\", noise: 0.02}}\n"
                  "data: data.csv\n");
    std::string data = "time,x,y,seen,near\n";
    for (const double t : {0.2, 0.5}) {
      for (const double x : {0.1, 0.5, 0.81})
        for (const double y : {0.0, 0.3, 0.9}) data += fmt::format("{},{},{},{:.10g},\n", t, x, y, exact(t, x, y));
      data += fmt::format("{},,,,{:.10g}\n", t, exact(t, 0.3, 0.2));
    }
    folder_.write("data.csv", data);
  }
  static double exact(double t, double x, double y) {
    return std::sin(M_PI * x) * std::cos(M_PI * y) * std::exp(-2 * M_PI * M_PI * 0.1 * t);
  }

  Folder folder_;
};

TEST_F(PlateCommands, AFitOnARectangleTellsItsGrid) {
  const Outcome outcome = folder_.salvo("fit plate.yaml --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out.substr(0, 2000);
  EXPECT_TRUE(speaks_of(outcome.out, "\"cells\":24,\"unknowns\":576"))
      << outcome.out.substr(outcome.out.find("grid_error"), 600);
  const std::string table = folder_.read("plate.fit/estimates.tsv");
  EXPECT_NEAR(std::stod(table.substr(table.find("\nD\t") + 4)), 0.1, 1e-3) << table;
  EXPECT_TRUE(speaks_of(folder_.read("plate.fit/residuals.csv"), "observable,time,x,y,value"));
  EXPECT_TRUE(speaks_of(folder_.read("plate.fit/trajectories.csv"), "experiment,time,x,y,u"));
}

TEST_F(PlateCommands, ASimulationTellsPlacesOfTwoCoordinates) {
  const Outcome outcome =
      folder_.salvo("simulate plate.yaml --at 0.5 --places 0.3:0.2,0.9:1 --parameters D=0.1 --cells 64");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("experiment,time,x,y,u,seen,near\n")) << outcome.out.substr(0, 200);
  const std::size_t row = outcome.out.find("\ndefault,0.5,0.3,0.2,");
  ASSERT_NE(row, std::string::npos) << outcome.out;
  EXPECT_NEAR(std::stod(outcome.out.substr(row + 21)), exact(0.5, 0.3, 0.2), 1e-3);
  EXPECT_EQ(folder_.salvo("simulate plate.yaml --at 0.5 --places 0.3").code, 1);
  EXPECT_EQ(folder_.salvo("simulate plate.yaml --at 0.5 --places 0.3:7").code, 1);
  EXPECT_EQ(folder_.salvo("simulate plate.yaml --at 0.5 --json").code, 0);
}

TEST_F(PlateCommands, WhatARectangleDoesNotHaveIsRefused) {
  const auto refused = [&](const std::string& what, const std::string& by, const std::string& words) {
    std::string text = folder_.read("plate.yaml");
    text.replace(text.find(what), what.size(), by);
    folder_.write("other.yaml", text);
    const Outcome outcome = folder_.salvo("check other.yaml");
    EXPECT_NE(outcome.code, 0) << by;
    EXPECT_TRUE(speaks_of(outcome.out + outcome.err, words)) << outcome.out << outcome.err;
  };
  refused("D*dxx(u) + D*dyy(u)", "div(D*grad(u) - 0.3*u)", "write what is carried along with dx and dy");
  refused("\"u(at: 0.3, 0.2)\"", "\"integral(u, x)\"", "the position y cannot be read");
  refused("\"u(at: 0.3, 0.2)\"", "\"u(at: 0.3)\"", "names 1 coordinate of 2");
  refused(", top: {flux: 0}", "", "at top is missing");
  refused("x: {from: 0, to: 1, cells: 24}", "x: {from: 0, to: 1, cells: 4000}", "a rectangle has at most 65536 cells");
}

TEST_F(FieldCommands, OptionsOfFieldsAreRefusedWithoutThem) {
  folder_.write("decay.yaml",
                "equations: {x: -k*x}\nparameters: {k: {guess: 1}}\ninitial: {x: 1}\n"
                "observables: {seen: {formula: x, noise: 0.1}}\ndata: decay.csv\n");
  folder_.write("decay.csv", "time,seen\n1,0.4\n");
  EXPECT_EQ(folder_.salvo("fit decay.yaml --cells 50").code, 1);
  EXPECT_EQ(folder_.salvo("simulate decay.yaml --places 3").code, 1);
  EXPECT_EQ(folder_.salvo("fit rod.yaml --cells 3").code, 1);
  EXPECT_EQ(folder_.salvo("simulate rod.yaml --places 1.5").code, 1);
}

TEST_F(FieldCommands, ACheckTellsSizesAndPetabRefusesByName) {
  const Outcome check = folder_.salvo("check rod.yaml");
  EXPECT_TRUE(speaks_of(check.out, "1 field on 64 cells: 64 unknowns")) << check.out;
  EXPECT_TRUE(speaks_of(check.out, "dividing space moves")) << check.out;
  const Outcome convert = folder_.salvo("convert rod.yaml other");
  EXPECT_EQ(convert.code, 3);
  EXPECT_TRUE(speaks_of(convert.err, "PEtab has no fields, and this problem has u")) << convert.err;
}

}  // namespace
}  // namespace salvo::test
