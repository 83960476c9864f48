#include "model/design.hpp"

#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::design_test {
namespace {

const std::string section =
    "design:\n  measure:\n    - {observables: [prey, predator], times: {from: 0, to: 3, step: 0.1}, at most: 4}\n"
    "    - {observables: prey, times: [2, 1], cost: 2.5}\n"
    "  experiments: {p3: [1, 3], x2: {from: 0, to: 1, levels: 5}}\n"
    "  criterion: c(p1/p2)\n  for: [p1, x1]\n  budget: 4\n  over: prior\n";

void expect_section(const model::Design& design) {
  ASSERT_EQ(design.measures.size(), 2U);
  EXPECT_EQ(design.measures[0].observables, (std::vector<int>{1, 0}));
  ASSERT_EQ(design.measures[0].times.size(), 31U);
  EXPECT_EQ(design.measures[0].times[3], 0.3);  // and not 3 * 0.1
  EXPECT_EQ(design.measures[0].at_most, 4);
  EXPECT_EQ(design.measures[1].times, (std::vector<double>{1, 2}));
  EXPECT_EQ(design.measures[1].cost, 2.5);
  ASSERT_EQ(design.factors.size(), 2U);
  EXPECT_EQ(design.factors[0].levels, (std::vector<double>{1, 3}));
  EXPECT_FALSE(design.factors[0].range);
  EXPECT_EQ(design.factors[1].of, model::Factor::Of::initial);
  EXPECT_EQ(design.factors[1].levels.size(), 5U);
  EXPECT_EQ(design.factors[1].range, std::pair(0.0, 1.0));
  EXPECT_EQ(design.criterion, model::DesignCriterion::c);
  EXPECT_TRUE(design.target.formula);
  EXPECT_EQ(design.interest, (std::vector<std::string>{"p1", "x1"}));
  EXPECT_EQ(design.budget, 4);
  EXPECT_EQ(design.over, model::DesignOver::prior);
}

TEST(DesignSection, IsReadWithAllThatItSays) {
  const Folder folder({{"problem.yaml", longer(section)}, {"data.csv", good_data()}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues()[0]);
  ASSERT_TRUE(problem->design);
  expect_section(*problem->design);
}

TEST(DesignSection, MayStandInAFileOfItsOwn) {
  const Folder folder({{"problem.yaml", good_problem()}, {"data.csv", good_data()}, {"design.yaml", section}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_TRUE(problem);
  EXPECT_FALSE(problem->design);
  const auto designed = read_design_file(*problem, folder / "design.yaml");
  ASSERT_TRUE(designed) << to_string(designed.issues()[0]);
  expect_section(*designed->design);
  const auto json = read_design_text(
      *problem,
      R"json({"measure": [{"observables": ["prey"], "times": [1]}], "criterion": "c(prey@12)", "budget": 1})json", "x");
  ASSERT_TRUE(json) << to_string(json.issues()[0]);
  EXPECT_EQ(json->design->target.time, 12);
  EXPECT_FALSE(read_design_text(*problem, "{}", "x"));
}

TEST(DesignSection, LetsAProblemHaveNoData) {
  const auto problem = read_problem_text(changed("data: data.csv\n", "") +
                                         "design: {measure: [{observables: [prey], "
                                         "times: [1]}], budget: 1}\n");
  EXPECT_TRUE(problem) << to_string(problem.issues()[0]);
  const auto without = read_problem_text(changed("data: data.csv\n", ""));
  ASSERT_FALSE(without);
  EXPECT_EQ(without.issues()[0].message, "the section 'data' is missing");
}

TEST(DesignSection, AsksForNoiseThatNoDataCouldTell) {
  const std::string text = changed("prey: {formula: x2, noise: 0.05}\ndata: data.csv\n", "prey: {formula: x2}\n") +
                           "design: {measure: [{observables: [prey], times: [1]}], budget: 1}\n";
  const auto problem = read_problem_text(text);
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.issues()[0].message, "the noise of 'prey' is stated nowhere, and no data could tell it");
}

TEST(DesignSection, AsksWhichOfSeveralExperimentsNewOnesAreLike) {
  const std::string several =
      "experiments: {low: {}, high: {set: {p3: 2}}}\ndesign:\n  measure: [{observables: [prey], times: [1]}]\n"
      "  budget: 1\n  experiments: {p4: [1, 2]}\n";
  const std::string without_data = changed("data: data.csv\n", "");
  const auto wrong = read_problem_text(without_data + several);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.issues()[0].hint, "write like: low");
  const auto right = read_problem_text(without_data + several + "  like: high\n");
  ASSERT_TRUE(right) << to_string(right.issues()[0]);
  EXPECT_EQ(right->design->like, 1);
}

}  // namespace
}  // namespace salvo::formats::design_test
