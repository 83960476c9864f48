#include "formats/wrong_input.hpp"

#include <gtest/gtest.h>

#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::formats {

std::string good_problem() {
  return "title: Predator and prey\n"
         "equations:\n"
         "  x1: -p1*x1 + p2*x1*x2\n"
         "  x2: p3*x2 - p4*x1*x2\n"
         "initial:\n"
         "  x1: {guess: 0.4}\n"
         "parameters:\n"
         "  p1: {guess: 0.5, bounds: [-2, 5]}\n"
         "  p2: {guess: 0.5}\n"
         "  p3: 0.5\n"
         "  p4: {value: 0.2}\n"
         "observables:\n"
         "  predator: {formula: x1, noise: 0.05}\n"
         "  prey: {formula: x2, noise: 0.05}\n"
         "data: data.csv\n";
}

std::string good_data() { return "time,predator,prey\n0,0.4,1\n1,0.5,NA\n2,,0.9\n"; }

std::string changed(const std::string& what, const std::string& by) {
  std::string text = good_problem();
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string longer(const std::string& more) { return good_problem() + more; }

WrongInput in_problem(std::string name, std::string problem, int line, int column, std::string message,
                      std::string hint) {
  return {.name = std::move(name),
          .files = {{"problem.yaml", std::move(problem)}},
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

namespace {

class WrongInputs : public ::testing::TestWithParam<WrongInput> {};

TEST_P(WrongInputs, GiveOneIssueWithItsPlaceAndAHint) {
  const WrongInput& wrong = GetParam();
  Files files = wrong.files;
  files.emplace("problem.yaml", good_problem());
  files.emplace("data.csv", good_data());
  const Folder folder(files);
  const auto result = read_problem(folder / "problem.yaml");
  ASSERT_FALSE(result);
  std::string all;
  for (const Issue& issue : result.issues()) all += to_string(issue) + "\n";
  SCOPED_TRACE(all);
  ASSERT_EQ(result.issues().size(), 1u);
  const Issue& issue = result.issues()[0];
  EXPECT_EQ(issue.file, folder / (wrong.in_file.empty() ? "problem.yaml" : wrong.in_file));
  EXPECT_EQ(issue.line, wrong.line);
  EXPECT_EQ(issue.column, wrong.column);
  EXPECT_NE(issue.message.find(wrong.message), std::string::npos) << "wanted: " << wrong.message;
  EXPECT_NE(issue.hint.find(wrong.hint), std::string::npos) << "wanted: " << wrong.hint;
}

std::string test_name(const ::testing::TestParamInfo<WrongInput>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Yaml, WrongInputs, ::testing::ValuesIn(wrong_yaml()), test_name);
INSTANTIATE_TEST_SUITE_P(Problem, WrongInputs, ::testing::ValuesIn(wrong_problems()), test_name);
INSTANTIATE_TEST_SUITE_P(Settings, WrongInputs, ::testing::ValuesIn(wrong_settings()), test_name);
INSTANTIATE_TEST_SUITE_P(Events, WrongInputs, ::testing::ValuesIn(wrong_events()), test_name);
INSTANTIATE_TEST_SUITE_P(Doses, WrongInputs, ::testing::ValuesIn(wrong_doses()), test_name);
INSTANTIATE_TEST_SUITE_P(Designs, WrongInputs, ::testing::ValuesIn(wrong_designs()), test_name);
INSTANTIATE_TEST_SUITE_P(Data, WrongInputs, ::testing::ValuesIn(wrong_data()), test_name);
INSTANTIATE_TEST_SUITE_P(Fields, WrongInputs, ::testing::ValuesIn(wrong_fields()), test_name);
INSTANTIATE_TEST_SUITE_P(Algebra, WrongInputs, ::testing::ValuesIn(wrong_algebra()), test_name);
INSTANTIATE_TEST_SUITE_P(Delays, WrongInputs, ::testing::ValuesIn(wrong_delays()), test_name);

TEST(WrongInput, IsNotRepeatedInAHintHoweverLongItIs) {
  std::string arguments = "x1";
  for (int n = 0; n < 1000; ++n) arguments += ", x1";
  const Folder folder(
      {{"problem.yaml", changed("{formula: x1,", "{formula: max(" + arguments + "),")}, {"data.csv", good_data()}});
  const auto result = read_problem(folder / "problem.yaml");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.issues()[0].hint, "put the formula in quotes");
}

TEST(WrongInput, IsMadeFromAProblemThatIsRight) {
  const Folder folder({{"problem.yaml", good_problem()}, {"data.csv", good_data()}});
  const auto result = read_problem(folder / "problem.yaml");
  EXPECT_TRUE(result) << to_string(result.issues().front());
}

}  // namespace
}  // namespace salvo::formats
