#include "report/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "report/predator_prey.hpp"

namespace salvo::report {
namespace {

using Row = std::vector<std::string>;

// Reads quoted tables back (RFC 4180), a second way to the same cells.
std::vector<Row> parse_table(const std::string& text, char separator) {
  std::vector<Row> rows;
  Row row{""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      row.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == separator) {
      row.push_back("");
    } else if (!quoted && c == '\n') {
      rows.push_back(row);
      row = {""};
    } else {
      row.back() += c;
    }
  }
  return rows;
}

std::string residuals_of(const test::Example& example) {
  std::string text;
  residuals_csv(example.problem, example.result, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(Residuals, OfLongDataAreNeverInMemoryAsAWhole) {
  auto example = test::predator_prey();
  const std::vector<Prediction> few = example.result.predictions;
  for (int n = 0; n < 2000; ++n)
    example.result.predictions.insert(example.result.predictions.end(), few.begin(), few.end());
  std::size_t longest = 0;
  std::size_t all = 0;
  residuals_csv(example.problem, example.result, [&](std::string_view piece) {
    longest = std::max(longest, piece.size());
    all += piece.size();
  });
  EXPECT_GT(all, 2'000'000);
  EXPECT_LT(longest, 1'100'000);
  EXPECT_EQ(residuals_of(example).size(), all);
}

TEST(Residuals, LetNoSpreadsheetComputeANameOfTheUser) {
  auto example = test::predator_prey();
  for (const std::string name : {"=cmd|' /C calc'!A0", "@sum", "-Fe"}) {
    example.problem.experiments[0].id = name;
    const auto rows = parse_table(residuals_of(example), ',');
    ASSERT_GE(rows.size(), 2u);
    EXPECT_NE(std::find(rows[1].begin(), rows[1].end(), "'" + name), rows[1].end()) << name;
    EXPECT_EQ(std::find(rows[1].begin(), rows[1].end(), name), rows[1].end()) << name;
  }
  example.problem.experiments[0].id = "-1.5";  // a number is no formula
  const auto rows = parse_table(residuals_of(example), ',');
  EXPECT_NE(std::find(rows[1].begin(), rows[1].end(), "-1.5"), rows[1].end());
}

TEST(Estimates, ListParametersThenInitialValues) {
  const auto rows = parse_table(estimates_tsv(test::predator_prey().result), '\t');
  ASSERT_EQ(rows.size(), 7);
  EXPECT_EQ(rows[0], (Row{"id", "experiment", "estimate", "standard_error", "lower", "upper", "scale", "at_bound",
                          "identifiable"}));
  EXPECT_EQ(rows[1][0], "p1");
  EXPECT_EQ(rows[1][1], "");
  EXPECT_EQ(rows[1][2], "1");
  EXPECT_EQ(rows[1][3], "0.0123");
  EXPECT_EQ(std::stod(rows[1][5]), 1 + 1.96 * 0.0123);
  EXPECT_EQ(rows[5][0], "x1");
  EXPECT_EQ(rows[5][1], "default");
}

TEST(Estimates, MarkWhatIsMissing) {
  auto result = test::predator_prey().result;
  result.parameters[0] = {
      .id = "p1", .estimate = 5, .scale = model::Scale::log, .at_bound = AtBound::upper, .identifiable = false};
  const auto rows = parse_table(estimates_tsv(result), '\t');
  EXPECT_EQ(rows[1], (Row{"p1", "", "5", "NA", "NA", "NA", "log", "upper", "false"}));
}

TEST(TrajectoriesCsv, ShowsAnObservableWithTheNameOfAStateOnce) {
  auto example = test::predator_prey();
  example.problem.observables[0].id = example.problem.states[0].id;
  const std::string text = trajectories_csv(example.problem, example.result.solution_arcs);
  std::istringstream lines(text);
  std::string header, row;
  std::getline(lines, header);
  std::getline(lines, row);
  EXPECT_EQ(header, "experiment,interval,time,x1,x2," + example.problem.observables[1].id);
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
}

TEST(Trajectories, HaveOneRowForEverySample) {
  const auto example = test::predator_prey();
  const auto rows = parse_table(trajectories_csv(example.problem, example.result.solution_arcs), ',');
  ASSERT_EQ(rows.size(), 1 + 10 * (test::samples_per_interval + 1));
  EXPECT_EQ(rows[0], (Row{"experiment", "interval", "time", "x1", "x2", "predator", "prey"}));
  const auto& arc = example.result.solution_arcs[1];
  const auto& row = rows[static_cast<std::size_t>(1 + test::samples_per_interval + 1 + 3)];
  EXPECT_EQ(row[1], "1");
  EXPECT_EQ(std::stod(row[2]), arc.time[3]);
  EXPECT_EQ(std::stod(row[3]), arc.states(0, 3));
  EXPECT_EQ(std::stod(row[6]), arc.observables(1, 3));
}

TEST(Trajectories, CanDoWithoutIntervals) {
  const auto example = test::predator_prey();
  const auto rows =
      parse_table(trajectories_csv(example.problem, example.result.solution_arcs, IntervalColumn::hidden), ',');
  EXPECT_EQ(rows[0], (Row{"experiment", "time", "x1", "x2", "predator", "prey"}));
  EXPECT_EQ(rows[1].size(), 6);
}

TEST(Trajectories, SpellInfinityTheWayOtherProgramsRead) {
  auto example = test::predator_prey();
  auto& arc = example.result.solution_arcs[0];
  arc.states(0, 0) = std::numeric_limits<double>::infinity();
  arc.states(1, 0) = std::numeric_limits<double>::quiet_NaN();
  arc.observables(0, 0) = -arc.states(0, 0);
  const auto rows = parse_table(trajectories_csv(example.problem, example.result.solution_arcs), ',');
  EXPECT_EQ(rows[1], (Row{"default", "0", "0", "Inf", "NaN", "-Inf", "1"}));
}

TEST(Residuals, ComeFromFittedAndFromOtherData) {
  auto example = test::predator_prey();
  example.problem.validation = {{0, 1, 12, 0.5, std::nullopt}};
  example.result.validation = {{0, 0.4, 0.05, 1.25, 2, 2}};
  const auto rows = parse_table(residuals_of(example), ',');
  ASSERT_EQ(rows.size(), 24);
  EXPECT_EQ(rows[0], (Row{"experiment", "observable", "time", "value", "simulation", "sigma", "residual", "llh", "set",
                          "quantile_residual"}));
  EXPECT_EQ(rows[1][1], "predator");
  EXPECT_EQ(rows[1][8], "fit");
  EXPECT_EQ(rows[23], (Row{"default", "prey", "12", "0.5", "0.4", "0.05", "2", "1.25", "validation", "2"}));
}

TEST(Tables, QuoteOddNames) {
  auto example = test::predator_prey();
  const std::string odd = "high, \"very\" high\nand more ";
  example.problem.experiments[0].id = odd;
  example.problem.observables[1].id = "a,b";
  const auto residuals = parse_table(residuals_of(example), ',');
  EXPECT_EQ(residuals[2][0], odd);
  EXPECT_EQ(residuals[2][1], "a,b");
  EXPECT_EQ(residuals[2].size(), 10);
  EXPECT_EQ(parse_table(trajectories_csv(example.problem, example.result.start_arcs), ',')[0].back(), "a,b");
}

TEST(Starts, NameTheOptimumTheyFound) {
  FitResult result;
  result.starts = {{.start = 2, .status = Status::converged, .objective = -1.5, .minimum = 0, .parameters = {{"p", 2}}},
                   {.start = 0, .status = Status::converged, .objective = 4, .minimum = 1, .parameters = {{"p", 3}}},
                   {.start = 1,
                    .status = Status::interrupted,
                    .objective = std::numeric_limits<double>::infinity(),
                    .parameters = {}}};
  const auto rows = parse_table(starts_csv(result), ',');
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], (Row{"start", "status", "objective", "optimum", "gap", "iterations", "points", "seconds",
                          "message", "guess:p", "p"}));
  EXPECT_EQ(rows[1], (Row{"2", "converged", "-1.5", "1", "0", "0", "0", "0", "", "NA", "2"}));
  EXPECT_EQ(rows[2], (Row{"0", "converged", "4", "2", "0", "0", "0", "0", "", "NA", "3"}));
  EXPECT_EQ(rows[3], (Row{"1", "interrupted", "Inf", "NA", "0", "0", "0", "0", "", "NA", "NA"}));
}

}  // namespace
}  // namespace salvo::report
