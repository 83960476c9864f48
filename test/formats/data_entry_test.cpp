#include <gtest/gtest.h>

#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "formats/dates.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::data_entry_test {
namespace {

Result<model::Problem> read(const std::string& yaml, const std::string& data) {
  const Folder folder({{"problem.yaml", yaml}, {"data.csv", data}});
  auto problem = read_problem(folder / "problem.yaml");
  if (!problem)
    for (const Issue& issue : problem.issues()) ADD_FAILURE() << to_string(issue);
  return problem;
}

std::vector<double> times_of(const model::Problem& problem) {
  std::vector<double> times;
  for (const model::Measurement& m : problem.measurements) times.push_back(m.time);
  return times;
}

// --- dates -----------------------------------------------------------------------------------------------------------

TEST(Dates, CountLeapDays) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(*parse_date("2024-03-01") - *parse_date("2024-02-28"), 2 * 86400);
  EXPECT_EQ(*parse_date("2023-03-01") - *parse_date("2023-02-28"), 86400);
  EXPECT_EQ(*parse_date("2000-03-01") - *parse_date("2000-02-28"), 2 * 86400);
  EXPECT_EQ(*parse_date("1900-03-01") - *parse_date("1900-02-28"), 86400);
}

TEST(Dates, MayHaveATimeOfDay) {
  const double midnight = *parse_date("2024-03-01");
  EXPECT_EQ(*parse_date("2024-03-01 14:30") - midnight, 14.5 * 3600);
  EXPECT_EQ(*parse_date("2024-03-01T14:30:05.5Z") - midnight, 14.5 * 3600 + 5.5);
}

TEST(Dates, AreNothingElse) {
  for (const char* text : {"", "2024", "2024-13-01", "2024-02-30", "2024-3-1", "2024-03-01 24:00", "2024-03-01 12:60",
                           "01.03.2024", "2024-03-01x", "2024-03-01 12", "2024-03-01 12:00:61", "2024-03-01 12:00:5"})
    EXPECT_FALSE(parse_date(text)) << text;
  for (const char* text : {"01.03.2024", "3/1/24", "2024-03", "14:30"}) EXPECT_TRUE(looks_like_date(text)) << text;
  for (const char* text : {"1.5", "-3", "1e-5", "1-2", "abc", "2024"}) EXPECT_FALSE(looks_like_date(text)) << text;
}

// As a difference of numbers, t < 1978-01-27 would be t < 1950.
TEST(Dates, StandInFormulas) {
  const auto text = [](const std::string& time) {
    return time +
           "equations: {x: \"piecewise(-k, t < 1978-01-27, 0)*x\"}\nparameters: {k: {guess: 1}}\n"
           "observables: {seen: {formula: x, noise: 1}}\ndata: data.csv\n";
  };
  const auto problem = read(text("time: {unit: day, from: 1978-01-22}\n"), "time,seen\n1978-01-22,1\n1978-01-29,2\n");
  ASSERT_TRUE(problem);
  EXPECT_EQ(expression::print(problem->graph, problem->states[0].derivative), "x*piecewise(-k, t < 5, 0)");
  const Folder folder({{"problem.yaml", text("")}, {"data.csv", "time,seen\n0,1\n7,2\n"}});
  const auto refused = read_problem(folder / "problem.yaml");
  ASSERT_FALSE(refused);
  const Issue& issue = refused.issues()[0];
  EXPECT_EQ(issue.message.find("1978-01-27 in ") == std::string::npos, false) << to_string(issue);
  EXPECT_EQ(issue.line, 1);
  EXPECT_EQ(issue.column, 35);
}

TEST(DataEntry, AnObservableCannotShareAColumnWithTheExperiments) {
  const Folder folder({{"problem.yaml",
                        "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
                        "observables: {experiment: {formula: x, noise: 0.1}}\ndata: data.csv\n"},
                       {"data.csv", "time,experiment\n1,0.4\n2,0.1\n"}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_FALSE(problem);
  ASSERT_EQ(problem.issues().size(), 1u);
  EXPECT_EQ(problem.issues()[0].line, 1);
  EXPECT_EQ(problem.issues()[0].column, 6);
  EXPECT_EQ(problem.issues()[0].hint, "rename the observable");
}

TEST(DataEntry, ReadsDatesAsTimesInTheUnit) {
  const std::string data = "time,predator\n2024-02-26,1\n2024-02-28 12:00,2\n2024-03-01,3\n";
  const auto days = read(longer("time: {unit: day, from: 2024-02-26}\n"), data);
  ASSERT_TRUE(days);
  EXPECT_EQ(times_of(*days), (std::vector<double>{0, 2.5, 4}));
  EXPECT_EQ(days->time_axis.unit, "day");
  EXPECT_EQ(days->time_axis.label, "time since 2024-02-26");
  const auto hours = read(longer("time: {unit: h, from: 2024-02-25 12:00}\nstart: 2024-02-26\n"), data);
  ASSERT_TRUE(hours);
  EXPECT_EQ(times_of(*hours), (std::vector<double>{12, 72, 108}));
  EXPECT_EQ(hours->experiments[0].start, 12);
}

// --- columns ---------------------------------------------------------------------------------------------------------

TEST(DataEntry, MapsAndIgnoresColumns) {
  const std::string yaml =
      changed("data.csv",
              "{file: data.csv, time: Date, columns: {prey: \"Hare, counted\", predator: Fox}, ignore: [Who, prey]}");
  const auto problem = read(yaml, "Date,Who,Fox,\"Hare, counted\",prey\n0,AB,1,2,bad\n1,CD,,4,bad\n");
  ASSERT_TRUE(problem);
  ASSERT_EQ(problem->measurements.size(), 3u);
  EXPECT_EQ(problem->measurements[0].observable, 0);
  EXPECT_EQ(problem->measurements[0].value, 1);
  EXPECT_EQ(problem->measurements[1].observable, 1);
  EXPECT_EQ(problem->measurements[1].value, 2);
  EXPECT_EQ(problem->measurements[2].value, 4);
}

TEST(DataEntry, MapsTheColumnsOfALongTable) {
  const std::string yaml =
      changed("data.csv", "[{file: data.csv, time: when, columns: {observable: what, value: y, noise: sd}}]");
  const auto problem = read(yaml, "when,what,y,sd\n3,prey,2,0.5\n");
  ASSERT_TRUE(problem);
  ASSERT_EQ(problem->measurements.size(), 1u);
  EXPECT_EQ(problem->measurements[0].time, 3);
  EXPECT_EQ(problem->measurements[0].value, 2);
  EXPECT_EQ(problem->measurements[0].sigma, 0.5);
}

TEST(DataEntry, SwapsColumnsThatAreNamedCrosswise) {
  const auto problem = read(changed("data.csv", "{file: data.csv, columns: {prey: predator, predator: prey}}"),
                            "time,predator,prey\n0,1,2\n");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->measurements[0].observable, 1);
  EXPECT_EQ(problem->measurements[0].value, 1);
}

TEST(DataEntry, KeepsUnitsAndLabels) {
  std::string yaml = changed("x1, noise: 0.05", "x1, noise: 0.05, unit: mg/L, label: Plasma concentration");
  yaml += "time: {unit: h, label: Time since dose}\n";
  const auto problem = read(yaml, good_data());
  ASSERT_TRUE(problem);
  EXPECT_EQ(model::axis_text("predator", problem->observables[0].axis), "Plasma concentration (mg/L)");
  EXPECT_EQ(model::axis_text("prey", problem->observables[1].axis), "prey");
  EXPECT_EQ(model::axis_text("time", problem->time_axis), "Time since dose (h)");
}

// --- where integration begins
// ------------------------------------------------------------------------------------------

const char* const years = "time,predator,prey\n1960,1,2\n1961,2,3\n1962,2,3\n";

TEST(DataEntry, BeginsWithTheDataWhereNothingIsKnownAtZero) {
  const auto problem = read(good_problem(), years);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->experiments[0].start, 1960);
  ASSERT_EQ(problem->remarks.size(), 1u);
  EXPECT_NE(problem->remarks[0].find("begins at the first measurement, t = 1960"), std::string::npos);
  EXPECT_TRUE(problem->warnings.empty());
}

TEST(DataEntry, BeginsWithDataBeforeZero) {
  const auto problem = read(good_problem(), "time,predator\n-500,1\n-499,2\n-490,2\n");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->experiments[0].start, -500);
}

TEST(DataEntry, BeginsEachExperimentWithItsOwnData) {
  const auto problem = read(longer("experiments:\n  a: {}\n  b: {}\n  c: {start: 1950}\n"),
                            "time,experiment,prey\n1960,a,2\n1970,a,3\n1965,b,3\n1975,b,3\n1965,c,3\n");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->experiments[0].start, 1960);
  EXPECT_EQ(problem->experiments[1].start, 1965);
  EXPECT_EQ(problem->experiments[2].start, 1950);
  EXPECT_NE(problem->remarks.at(0).find("of each experiment"), std::string::npos);
}

TEST(DataEntry, BeginsAtZeroAndWarnsWhereThatMayBeMeant) {
  const std::vector<std::string> problems{
      changed("x1: {guess: 0.4}", "x1: 0.4"),                                   // known at 0
      changed("p3*x2 - p4*x1*x2", "p3*x2 - p4*x1*x2 + sin(t)"),                 // the law depends on the time
      changed("{formula: x2, noise: 0.05}", "{formula: x2, noise: 0.05 + t}"),  // the noise does
  };
  for (const std::string& yaml : problems) {
    const auto problem = read(yaml, years);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->experiments[0].start, 0);
    ASSERT_EQ(problem->warnings.size(), 1u);
    EXPECT_NE(problem->warnings[0].hint.find("start: 1960"), std::string::npos);
  }
  const auto stated = read(longer("start: 0\n"), years);
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->experiments[0].start, 0);
  EXPECT_EQ(stated->warnings.size(), 1u);
  const auto with_the_data = read(longer("start: 1960\n"), years);
  ASSERT_TRUE(with_the_data);
  EXPECT_TRUE(with_the_data->warnings.empty());
  EXPECT_TRUE(with_the_data->remarks.empty());
}

// --- initial values that name each other
// -------------------------------------------------------------------------------

TEST(DataEntry, InitialValuesMayNameThoseOfOtherStates) {
  const auto problem = read(changed("x1: {guess: 0.4}", "x1: {guess: 0.4}\n  x2: p3 - initial( x1 )"), good_data());
  ASSERT_TRUE(problem);
  EXPECT_TRUE(std::holds_alternative<model::Estimated>(problem->experiments[0].initial[0]));
  const auto* formula = std::get_if<expression::NodeId>(&problem->experiments[0].initial[1]);
  ASSERT_NE(formula, nullptr);
  const auto symbols = expression::symbols_of(problem->graph, {formula, 1});
  EXPECT_NE(std::find(symbols.begin(), symbols.end(), problem->states[0].initial), symbols.end());
}

}  // namespace
}  // namespace salvo::formats::data_entry_test
