#include <gtest/gtest.h>

#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

// Tables as instruments, spreadsheets and colleagues write them.
namespace salvo::formats::tables_of_people_test {
namespace {

using Files = std::map<std::string, std::string>;

std::string decay(const std::string& data, const std::string& more = "time: {unit: s}\n") {
  return "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
         "observables: {seen: {formula: x, noise: 0.05}}\ndata: " +
         data + "\n" + more;
}

Result<model::Problem> read(Files files, const ReadOptions& options = {}) {
  const Folder folder(files);
  return read_problem(folder / "problem.yaml", options);
}

model::Problem good(const Files& files) {
  auto result = read(files);
  if (result) return *std::move(result);
  for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

// All that is wrong, in one text.
std::string wrong(const Files& files) {
  const auto result = read(files);
  std::string text;
  for (const Issue& issue : result ? Issues{} : result.issues()) text += to_string(issue) + "\n";
  return text;
}

std::vector<double> times(const model::Problem& problem) {
  std::vector<double> out;
  for (const model::Measurement& m : problem.measurements) out.push_back(m.time);
  return out;
}

const std::string table = "time,seen\n500,0.8\n1000,0.6\n";

TEST(TablesOfPeople, TimesAreConvertedIntoTheUnitOfTheProblem) {
  const Files files{{"problem.yaml", decay("{file: d.csv, time: {unit: ms}}")}, {"d.csv", table}};
  EXPECT_EQ(times(good(files)), (std::vector{0.5, 1.0}));
  const Files mapped{{"problem.yaml", decay("{file: d.csv, time: {column: t, scale: 0.002}}", "")},
                     {"d.csv", "t,seen\n500,0.8\n1000,0.6\n"}};
  EXPECT_EQ(times(good(mapped)), (std::vector{1.0, 2.0}));
}

TEST(TablesOfPeople, AUnitThatCannotBeConvertedIsTold) {
  const std::string unknown = wrong({{"problem.yaml", decay("{file: d.csv, time: {unit: moon}}")}, {"d.csv", table}});
  EXPECT_NE(unknown.find("problem.yaml:5:34: 'moon' is not a unit of time that can be converted"), std::string::npos)
      << unknown;
  const std::string none = wrong({{"problem.yaml", decay("{file: d.csv, time: {unit: ms}}", "")}, {"d.csv", table}});
  EXPECT_NE(none.find("the problem states no unit of its time"), std::string::npos) << none;
  const std::string both =
      wrong({{"problem.yaml", decay("{file: d.csv, time: {unit: ms, scale: 2}}")}, {"d.csv", table}});
  EXPECT_NE(both.find("says its scale already"), std::string::npos) << both;
}

TEST(TablesOfPeople, InputsHaveTimesOfTheirOwnUnitAndColumn) {
  const std::string input = "time: {unit: s}\ninputs: {u: {data: u.csv, time: {column: ms, unit: ms}}}\n";
  const auto problem = good({{"problem.yaml", decay("d.csv", input)},
                             {"d.csv", "time,seen\n0.5,0.8\n1,0.6\n"},
                             {"u.csv", "ms,u\n0,1\n1000,3\n"}});
  EXPECT_EQ(problem.inputs.at(0).of_experiment.at(0)->at(0.5), 2);
}

TEST(TablesOfPeople, DosesHaveTimesOfTheirOwnUnitAndColumn) {
  const std::string doses = "time: {unit: s}\ndoses: {file: doses.csv, time: {column: ms, unit: ms}}\n";
  const auto problem = good({{"problem.yaml", decay("d.csv", doses)},
                             {"d.csv", "time,seen\n0.5,0.8\n1,0.6\n"},
                             {"doses.csv", "ms;state;amount\n(ms);;(mg)\n700;x;0,5\n700+100*k;x;2\n"}});
  ASSERT_EQ(problem.events.size(), 2u);
  const auto& first = std::get<model::AtTimes>(problem.events[0].trigger);
  EXPECT_EQ(problem.graph[first.times.at(0)].value, 0.7);
}

TEST(TablesOfPeople, SemicolonsComeWithDecimalCommas) {
  const auto problem = good({{"problem.yaml", decay("d.csv")}, {"d.csv", "time;seen\n0,5;0,8\n1;<6e-1\n1,5;>0,25\n"}});
  ASSERT_EQ(times(problem), (std::vector{0.5, 1.0, 1.5}));
  EXPECT_EQ(problem.measurements[0].value, 0.8);
  EXPECT_EQ(problem.measurements[2].value, 0.25);
  EXPECT_EQ(problem.measurements[2].censored, model::Censored::above);
}

TEST(TablesOfPeople, BothDecimalSignsInOneFileLeaveOpenWhatIsMeant) {
  const std::string text = wrong({{"problem.yaml", decay("d.csv")}, {"d.csv", "time;seen\n0.5;0.8\n1;1,234\n"}});
  EXPECT_NE(text.find("d.csv:3:3: here a number has a decimal comma, but one in line 2 has a decimal point"),
            std::string::npos)
      << text;
}

// In a table that commas separate, 1,5 remains two cells.
TEST(TablesOfPeople, ADecimalCommaAmongCommasIsStillAMistake) {
  const std::string text = wrong({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\n0,5,0,8\n"}});
  EXPECT_NE(text.find("a decimal comma? write 1.5, not 1,5"), std::string::npos) << text;
}

TEST(TablesOfPeople, ARowOfUnitsBelowTheNamesIsPassedOver) {
  EXPECT_EQ(times(good({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\ns,mV\n0.5,0.8\n"}})).size(), 1u);
  EXPECT_EQ(times(good({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\n[s],[mV]\n0.5,0.8\n"}})).size(), 1u);
  const std::string other = wrong({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\nms,mV\n500,0.8\n"}});
  EXPECT_NE(other.find("d.csv:2:1: the times of this table are in ms, but are taken to be in s"), std::string::npos)
      << other;
  // Words that are no units are a mistake wherever they stand.
  EXPECT_NE(wrong({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\nzero,low\n0.5,0.8\n"}}), "");
  EXPECT_NE(wrong({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\n0.5,0.8\ns,mV\n"}}), "");
}

TEST(TablesOfPeople, ASeparatorAtTheEndOfLinesBeginsNoColumn) {
  EXPECT_EQ(times(good({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen,\n0.5,0.8,\n1,0.6,\n"}})).size(), 2u);
  EXPECT_EQ(times(good({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\n0.5,0.8,\n1,0.6\n"}})).size(), 2u);
  EXPECT_NE(wrong({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen,\n0.5,0.8,7\n"}}), "");
}

TEST(TablesOfPeople, ExperimentsThatOnlyTheDataNameAreTakenFromThem) {
  const auto problem = good({{"problem.yaml", decay("[a.csv, {file: b.csv, experiment: third}]")},
                             {"a.csv", "time,seen,experiment\n1,0.5,second\n2,0.3,first\n3,0.2,second\n"},
                             {"b.csv", "time,seen\n1,0.4\n"}});
  ASSERT_EQ(problem.experiments.size(), 3u);
  EXPECT_EQ(problem.experiments[0].id, "second");
  EXPECT_EQ(problem.experiments[1].id, "first");
  EXPECT_EQ(problem.experiments[2].id, "third");
  EXPECT_EQ(problem.measurements[1].experiment, 1);
  EXPECT_EQ(problem.measurements[3].experiment, 2);
}

TEST(TablesOfPeople, ASectionOfExperimentsNamesAllOfThem) {
  const std::string text = wrong({{"problem.yaml", decay("d.csv", "experiments: {low: {}, high: {}}\n")},
                                  {"d.csv", "time,seen,experiment\n1,0.5,low\n2,0.3,hihg\n"}});
  EXPECT_NE(text.find("d.csv:3:7: unknown experiment 'hihg'"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'high'?"), std::string::npos) << text;
}

TEST(TablesOfPeople, AnExperimentIsSaidInOnePlace) {
  const std::string text = wrong(
      {{"problem.yaml", decay("{file: d.csv, experiment: z}")}, {"d.csv", "time,seen,experiment\n1,0.5,a\n2,0.3,b\n"}});
  EXPECT_NE(text.find("d.csv:1:11: the column 'experiment' tells the experiment of each row"), std::string::npos);
  EXPECT_EQ(text.find("unknown experiment"), std::string::npos) << text;
}

// --- covariates ----------------------------------------------------------------------------------------------------

std::string dosed(const std::string& covariates, const std::string& parameters = "k: {guess: 1}") {
  return "equations: {x: -k*x}\ninitial: {x: dose}\nparameters: {" + parameters +
         "}\nobservables: {seen: {formula: x, noise: 0.05}}\n"
         "data: {file: d.csv, columns: {experiment: Subject}, covariates: " +
         covariates + ", ignore: [Wt]}\n";
}
const std::string subjects = "Subject,Wt,Dose,time,seen\n1,80,4,1,2\n1,80,4,2,1\n2,70,5,1,3\n2,70,,2,1\n";

double value_in(const model::Problem& problem, int experiment, const std::string& parameter) {
  for (const auto& [index, value] : problem.experiments.at(experiment).overrides)
    if (problem.parameters.at(index).id == parameter) return problem.graph[value].value;
  ADD_FAILURE() << parameter << " is not set";
  return 0;
}

TEST(Covariates, AreConstantsOfAnExperimentFromAColumn) {
  const auto problem = good({{"problem.yaml", dosed("{dose: Dose}")}, {"d.csv", subjects}});
  ASSERT_EQ(problem.experiments.size(), 2u);
  EXPECT_EQ(value_in(problem, 0, "dose"), 4);
  EXPECT_EQ(value_in(problem, 1, "dose"), 5);
  EXPECT_FALSE(problem.parameters.at(1).is_estimated());
}

TEST(Covariates, OneThatChangesWithinAnExperimentIsTold) {
  const std::string text = wrong(
      {{"problem.yaml", dosed("{dose: Dose}")}, {"d.csv", "Subject,Wt,Dose,time,seen\n1,80,4,1,2\n1,80,4.5,2,1\n"}});
  EXPECT_NE(text.find("d.csv:3:6: the covariate dose is 4.5 here, but 4 in line 2, in the same experiment '1'"),
            std::string::npos)
      << text;
}

TEST(Covariates, OneThatIsMissingOrEstimatedIsTold) {
  const std::string empty =
      wrong({{"problem.yaml", dosed("{dose: Dose}")}, {"d.csv", "Subject,Wt,Dose,time,seen\n1,80,4,1,2\n2,80,,2,1\n"}});
  EXPECT_NE(empty.find("no row of experiment '2' has a value of the covariate dose"), std::string::npos) << empty;
  const std::string estimated =
      wrong({{"problem.yaml", dosed("{dose: Dose}", "k: {guess: 1}, dose: {guess: 2}")}, {"d.csv", subjects}});
  EXPECT_NE(estimated.find("dose is estimated, and cannot be a covariate"), std::string::npos) << estimated;
  const std::string no_column = wrong({{"problem.yaml", dosed("{dose: Doze}")}, {"d.csv", subjects}});
  EXPECT_NE(no_column.find("the data file has no column 'Doze'"), std::string::npos) << no_column;
}

TEST(Covariates, StandInTablesForNonmemToo) {
  const auto problem =
      good({{"problem.yaml",
             "equations: {x: -k*x/w}\nparameters: {k: {guess: 1}}\nobservables: {seen: {formula: x, noise: 0.05}}\n"
             "data: {file: d.csv, format: nonmem, covariates: {w: WT}}\n"},
            {"d.csv",
             "ID,TIME,AMT,EVID,DV,WT\n1,0,100,1,.,70\n1,1,.,0,50,70\n1,9,.,2,.,70\n2,0,100,1,.,55\n2,1,.,0,40,55\n"}});
  ASSERT_EQ(problem.experiments.size(), 2u);
  EXPECT_EQ(value_in(problem, 1, "w"), 55);
  EXPECT_EQ(problem.measurements.size(), 2u);
  EXPECT_EQ(problem.experiments[0].predicted_at, std::vector{9.0});  // EVID 2: nothing was measured
}

// --- names, units, predictions --------------------------------------------------------------------------------------

TEST(TablesOfPeople, AnObservableMayHaveTheNameOfTheStateThatItIs) {
  const std::string head = "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n";
  const auto problem = good({{"problem.yaml", head + "observables: {x: {formula: x, noise: 0.05*x}}\ndata: d.csv\n"},
                             {"d.csv", "time,x\n1,0.5\n"}});
  EXPECT_EQ(problem.observables.at(0).formula, problem.states.at(0).symbol);
  const std::string other =
      wrong({{"problem.yaml", head + "observables: {x: {formula: 2*x}}\ndata: d.csv\n"}, {"d.csv", "time,x\n1,0.5\n"}});
  EXPECT_NE(other.find("problem.yaml:4:15: 'x' is a state (line 1, column 13); an observable may have its name only "
                       "where its formula is x"),
            std::string::npos)
      << other;
}

TEST(TablesOfPeople, ParametersHaveUnitsAndLabels) {
  const auto problem = good({{"problem.yaml",
                              "equations: {x: -k*x/v}\ninitial: {x: {guess: 1, unit: mg}}\n"
                              "parameters: {k: {guess: 1, unit: 1/h, label: decay}, v: {value: 2, unit: L}}\n"
                              "observables: {seen: {formula: x, noise: 0.05}}\ndata: d.csv\n"},
                             {"d.csv", "time,seen\n1,0.5\n"}});
  const auto& k = std::get<model::Estimated>(problem.parameters.at(0).value);
  EXPECT_EQ(k.axis.unit, "1/h");
  EXPECT_EQ(k.axis.label, "decay");
  EXPECT_EQ(std::get<model::Estimated>(problem.experiments.at(0).initial.at(0)).axis.unit, "mg");
}

TEST(TablesOfPeople, RowsWithoutAValueAreTimesOfPredictions) {
  const auto problem =
      good({{"problem.yaml", decay("d.csv", "until: 9\n")}, {"d.csv", "time,seen\n1,0.5\n4,\n2,0.3\n3,NA\n4,\n"}});
  EXPECT_EQ(problem.measurements.size(), 2u);
  EXPECT_EQ(problem.experiments.at(0).predicted_at, (std::vector{3.0, 4.0, 9.0}));
}

TEST(TablesOfPeople, PredictionsLieAfterTheStartAndNeedMeasurements) {
  const std::string early = wrong({{"problem.yaml", decay("d.csv", "until: -1\n")}, {"d.csv", "time,seen\n1,0.5\n"}});
  EXPECT_NE(early.find("problem.yaml:6:8: 'until' is -1, which is not after the start"), std::string::npos) << early;
  const std::string none = wrong({{"problem.yaml", decay("d.csv")}, {"d.csv", "time,seen\n1,\n"}});
  EXPECT_NE(none.find("d.csv:1:1: the table holds no measurements"), std::string::npos) << none;
}

TEST(TablesOfPeople, DerivedQuantitiesSpeakOfParametersAndInitialValues) {
  const auto problem = good({{"problem.yaml", decay("d.csv",
                                                    "derived: {half_life: {formula: ln(2)/k, unit: h}, "
                                                    "twice: 2*initial(x)}\n")},
                             {"d.csv", "time,seen\n1,0.5\n"}});
  ASSERT_EQ(problem.derived.size(), 2u);
  EXPECT_EQ(problem.derived[0].axis.unit, "h");
  const std::string text =
      wrong({{"problem.yaml", decay("d.csv", "derived: {a: 2*x, b: k*u, k: 1}\n")}, {"d.csv", "time,seen\n1,0.5\n"}});
  EXPECT_NE(text.find("the state 'x' cannot be used in the derived quantity a"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown name 'u' in the derived quantity b"), std::string::npos) << text;
  EXPECT_NE(text.find("'k' is defined twice: here as a derived quantity"), std::string::npos) << text;
}

TEST(TablesOfPeople, AnotherTableTakesThePlaceOfTheOneThatIsNamed) {
  const Folder folder({{"problem.yaml", decay("{file: d.csv, time: {column: t, unit: ms}}")},
                       {"d.csv", "t,seen\n500,0.8\n"},
                       {"other.csv", "t,seen\n700,0.8\n"}});
  const auto problem = read_problem(folder / "problem.yaml", {.data = folder / "other.csv"});
  ASSERT_TRUE(problem) << to_string(problem.issues().at(0));
  EXPECT_EQ(times(*problem), std::vector{0.7});
  const Folder several({{"problem.yaml", decay("[{file: d.csv, time: t}, d2.csv]")},
                        {"d.csv", "t,seen\n500,0.8\n"},
                        {"d2.csv", "time,seen\n700,0.8\n"}});
  const auto unclear = read_problem(several / "problem.yaml", {.data = several / "d2.csv"});
  ASSERT_FALSE(unclear);
  EXPECT_NE(to_string(unclear.issues().at(0)).find("several data files"), std::string::npos);
}

}  // namespace
}  // namespace salvo::formats::tables_of_people_test
