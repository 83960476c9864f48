#include <gtest/gtest.h>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::nonmem_test {
namespace {

std::string problem_text(const std::string& data, const std::string& more = "") {
  return "equations: {gut: -ka*gut, body: ka*gut - ke*body}\n"
         "initial: {gut: 0, body: 0}\n"
         "parameters: {ka: {guess: 1}, ke: {guess: 0.1}, F: {guess: 0.5}, tlag: {guess: 0.2}}\n"
         "observables: {conc: {formula: body, noise: 0.1}, left: {formula: gut, noise: 0.1}}\n"
         "data: " +
         data + "\n" + more;
}

Result<model::Problem> read(const std::string& table, const std::string& data, const std::string& more = "") {
  const Folder folder(
      {{"problem.yaml", problem_text(data, more)}, {"pk.csv", table}, {"more.csv", "time,conc\n1,2\n"}});
  return read_problem(folder / "problem.yaml");
}

// What is done and seen in each experiment, a line each.
std::string told(const Result<model::Problem>& result) {
  if (!result) return to_string(result.issues().front());
  const model::Problem& problem = *result;
  const auto text = [&](model::NodeId node) { return expression::print(problem.graph, node); };
  std::string out;
  for (std::size_t e = 0; e < problem.experiments.size(); ++e) {
    out += problem.experiments[e].id + ":";
    for (const model::Event& event : problem.events)
      if (event.acts_in(static_cast<int>(e)))
        for (const model::NodeId time : std::get<model::AtTimes>(event.trigger).times)
          out += " [" + text(time) + "] " + text(event.assignments[0].value);
    for (const model::Measurement& m : problem.measurements)
      if (m.experiment == static_cast<int>(e))
        out += " " + problem.observables[static_cast<std::size_t>(m.observable)].id + "(" + std::to_string(m.time)[0] +
               ")=" + std::to_string(m.value).substr(0, 3);
    out += "\n";
  }
  return out;
}

const std::string by_name = "{file: pk.csv, format: nonmem, columns: {conc: DV}}";
const std::string by_number = "{file: pk.csv, format: nonmem}";

TEST(Nonmem, PatientsAreExperimentsWithDosesAndMeasurements) {
  EXPECT_EQ(told(read("ID,TIME,AMT,EVID,CMT,DV,MDV\n"
                      "1,0,100,1,1,.,1\n"
                      "1,1,.,0,2,3.5,0\n"
                      "1,2,.,0,2,2.5,1\n"
                      "7,0,50,1,body,.,1\n"
                      "7,3,.,2,2,.,0\n"
                      "7,4,0,0,2,1.5,0\n",
                      by_name)),
            "1: [0] gut + 100 conc(1)=3.5\n"
            "7: [0] body + 50 conc(4)=1.5\n");
}

TEST(Nonmem, ARowWithoutEvidIsADoseIfItHasAnAmount) {
  EXPECT_EQ(told(read("id,time,amt,dv\na,0,100,.\na,1,0,3.5\n", "{file: pk.csv, format: nonmem, columns: {conc: dv}}")),
            "a: [0] gut + 100 conc(1)=3.5\n");
}

TEST(Nonmem, DvidSaysWhichObservableByNumberOrName) {
  EXPECT_EQ(told(read("ID,TIME,DV,DVID\n1,1,3.5,2\n1,2,2.5,conc\n", by_number)), "1: left(1)=3.5 conc(2)=2.5\n");
}

TEST(Nonmem, DosesAreRepeatedByAddlAndIi) {
  EXPECT_EQ(told(read("ID,TIME,AMT,ADDL,II,DV\n1,1,10,2,12,.\n1,5,.,.,.,2.5\n", by_name)),
            "1: [1] gut + 10 [13] gut + 10 [25] gut + 10 conc(5)=2.5\n");
}

TEST(Nonmem, HasABioavailabilityAndALag) {
  EXPECT_EQ(told(read("ID,TIME,AMT,DV\n1,1,10,.\n1,5,.,2.5\n",
                      "{file: pk.csv, format: nonmem, columns: {conc: DV}, bioavailability: {gut: F}, lag: tlag}")),
            "1: [tlag + 1] gut + 10*F conc(5)=2.5\n");
}

// The rate of an infusion holds for AMT/RATE.
TEST(Nonmem, ARateMakesAnInfusion) {
  const auto infused = read("ID,TIME,AMT,RATE,CMT,DV\n1,1,10,4,2,.\n1,5,.,.,.,2.5\n", by_name);
  ASSERT_TRUE(infused) << to_string(infused.issues().front());
  EXPECT_TRUE(infused->events.empty());
  EXPECT_EQ(expression::print(infused->graph, infused->states[1].derivative),
            "gut*ka - body*ke + piecewise(4, 1 <= t && t < 3.5, 0)");
}

// NONMEM works records off in their order.
TEST(Nonmem, ARecordBeforeTheDoseOfTheSameTimeIsMeasuredBeforeIt) {
  const auto trough = read(
      "ID,TIME,AMT,EVID,DV\n1,0,.,0,0.1\n1,0,10,1,.\n1,5,.,0,2.5\n1,5,10,1,.\n1,5,.,0,3.5\n"
      "2,5,10,1,.\n2,5,.,0,2.5\n",
      by_name);
  ASSERT_TRUE(trough) << to_string(trough.issues().front());
  std::string order;
  for (const model::Measurement& m : trough->measurements) order += m.before_events ? "before " : "after ";
  EXPECT_EQ(order, "before before after after ");
  EXPECT_EQ(trough->measurements[1].time, 5);
  EXPECT_LT(trough->measurements[1].seen_at(), 5);
  const auto between = read("ID,TIME,AMT,EVID,CMT,DV\n1,5,10,1,1,.\n1,5,.,0,.,2.5\n1,5,10,1,2,.\n", by_name);
  ASSERT_FALSE(between);
  EXPECT_EQ(to_string(between.issues()[0]).find("pk.csv:3:1") == std::string::npos, false)
      << to_string(between.issues()[0]);
}

TEST(Nonmem, CensMarksLimits) {
  const auto problem = read("ID,TIME,AMT,DV,CENS\n1,0,10,.,.\n1,1,.,0.1,1\n1,2,.,50,-1\n1,3,.,2,0\n", by_name);
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->measurements.size(), 3u);
  EXPECT_EQ(problem->measurements[0].censored, model::Censored::below);
  EXPECT_EQ(problem->measurements[1].censored, model::Censored::above);
  EXPECT_EQ(problem->measurements[2].censored, model::Censored::no);
}

// Amounts of -301 were estimated where nothing was said.
TEST(Nonmem, StatesBeginAtZeroUnlessToldOtherwise) {
  const Folder folder({{"problem.yaml",
                        "equations: {a: -k*a, b: k*a}\ninitial: {b: {guess: 1}}\nparameters: {k: {guess: 1}}\n"
                        "observables: {c: {formula: b, noise: 1}}\ndata: {file: pk.csv, format: nonmem}\n"},
                       {"pk.csv", "ID,TIME,AMT,DV\n1,0,10,.\n1,1,.,2\n"}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  const auto& initial = problem->experiments[0].initial;
  EXPECT_TRUE(std::holds_alternative<model::NodeId>(initial[0]));
  EXPECT_TRUE(std::holds_alternative<model::Estimated>(initial[1]));
}

TEST(Nonmem, NamesOfTheSectionExperimentsHold) {
  const std::string table = "ID,TIME,AMT,DV\n1,0,10,.\n1,5,.,2.5\n";
  EXPECT_EQ(told(read(table, by_name, "experiments: {1: {set: {F: 2}}}\n")), "1: [0] gut + 10 conc(5)=2.5\n");
  const auto unknown = read(table, by_name, "experiments: {2: {}}\n");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.issues()[0].message, "unknown experiment '1'");
}

TEST(Nonmem, APatientWithoutMeasurementsIsAWarning) {
  const auto problem = read("ID,TIME,AMT,DV\n1,0,10,.\n1,5,.,2.5\n2,0,10,.\n", by_name);
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_NE(to_string(problem->warnings.back()).find("no measurement of experiment '2'"), std::string::npos);
}

struct WrongTable {
  std::string table{};
  int line = 0;
  int column = 0;
  std::string message{};
};

TEST(Nonmem, SaysWhatIsWrongAndWhere) {
  const std::string good = "ID,TIME,AMT,RATE,EVID,CMT,DV,ADDL,II,SS\n1,5,.,.,0,.,2.5,.,.,.\n";
  const std::vector<WrongTable> wrongs{
      {good + "1,0,10,-2,1,1,.,.,.,.\n", 3, 8, "RATE is -2: rates and durations that the model says are not read"},
      {good + "1,0,10,.,4,1,.,.,.,.\n", 3, 10, "EVID 4 (all states become 0) is not supported"},
      {good + "1,0,10,.,7,1,.,.,.,.\n", 3, 10, "EVID is '7'; it must be 0"},
      {good + "1,0,10,.,101,1,.,.,.,.\n", 3, 10, "EVID 101 is a dose in the numbering of RxODE"},
      {good + "1,0,10,.,1,1,.,.,12,.\n", 3, 18, "an interval between doses (II) without ADDL"},
      {good + "1,0,10,.,0,1,.,.,.,.\n", 3, 5, "a measurement (EVID 0) has an amount"},
      {good + "1,0,.,.,1,1,.,.,.,.\n", 3, 5, "the amount of a dose (AMT) is 0; it must be positive"},
      {good + "1,0,-5,.,1,1,.,.,.,.\n", 3, 5, "the amount of a dose (AMT) is -5; it must be positive"},
      {good + "1,0,x,.,1,1,.,.,.,.\n", 3, 5, "AMT cannot be read"},
      {good + "1,0,10,.,1,3,.,.,.,.\n", 3, 12, "CMT is 3, but there are 2 states"},
      {good + "1,0,10,.,1,liver,.,.,.,.\n", 3, 12, "a dose into 'liver', which is not a state"},
      {good + "1,0,10,.,1,1,.,2,.,.\n", 3, 18, "additional doses (ADDL) 0 apart"},
      {good + "1,0,10,.,1,1,.,1e9,1,.\n", 3, 16, "the number of additional doses (ADDL) is 1000000000"},
      {good + "1,0,10,.,1,1,.,.,12,1\n", 3, 21, "doses that have come to a steady state before (SS)"},
      {good + "1,-3,10,.,1,1,.,.,.,.\n", 3, 3, "a dose at -3 is before the start of experiment 1, 0"},
      {good + ",0,10,.,1,1,.,.,.,.\n", 3, 1, "the ID is missing in this row"},
      {good + "1,.,.,.,0,1,2,.,.,.\n", 3, 3, "the time is missing in this row"},
      {good + "1,3,.,.,0,1,two,.,.,.\n", 3, 13, "the value cannot be read"},
      {"ID,TIME,DV,WEIGHT\n1,5,2.5,70\n", 1, 12, "unknown column 'WEIGHT'"},
      {"ID,TIME,time,DV\n1,5,5,2.5\n", 1, 9, "the column TIME is there twice"},
      {"ID,DV\n1,2.5\n", 1, 1, "the column 'time' is missing"},
  };
  for (const WrongTable& wrong : wrongs) {
    const auto problem = read(wrong.table, by_name);
    ASSERT_FALSE(problem) << wrong.message;
    const Issue& issue = problem.issues().front();
    EXPECT_NE(issue.message.find(wrong.message), std::string::npos) << to_string(issue) << "\nnot: " << wrong.message;
    EXPECT_TRUE(issue.file.ends_with("pk.csv")) << issue.file;
    EXPECT_EQ(issue.line, wrong.line) << wrong.message;
    EXPECT_EQ(issue.column, wrong.column) << wrong.message;
  }
}

TEST(Nonmem, WantsToKnowWhatDvIs) {
  const auto ambiguous = read("ID,TIME,DV\n1,5,2.5\n", by_number);
  ASSERT_FALSE(ambiguous);
  EXPECT_NE(ambiguous.issues()[0].message.find("it is not clear which observable DV is"), std::string::npos);
  EXPECT_NE(ambiguous.issues()[0].hint.find("columns: {conc: DV}"), std::string::npos);
  const auto beyond = read("ID,TIME,DV,DVID\n1,5,2.5,3\n", by_number);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.issues()[0].message, "DVID is 3, but there are 2 observables");
  const auto missing = read("ID,TIME,AMT\n1,5,2.5\n", by_number);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.issues()[0].message.find("the column DV"), std::string::npos);
}

TEST(Nonmem, IsTheOnlyFormatWithAName) {
  const auto other = read("ID,TIME,DV\n1,5,2.5\n", "{file: pk.csv, format: monolix}");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.issues()[0].message, "unknown format 'monolix' of the data");
}

}  // namespace
}  // namespace salvo::formats::nonmem_test
