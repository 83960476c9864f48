#include <gtest/gtest.h>

#include <filesystem>

#include "compile/agreement.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

TEST(MachineCodeOfFiles, AgreesWithTheTapeOnTheSharedProblems) {
  SKIP_WITHOUT_TRANSLATOR();
  const auto folder = std::filesystem::path(SALVO_SOURCE_DIR) / "../shared/problems";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "The shared problems are not beside the source.";
  std::vector<model::Problem> problems;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!std::filesystem::exists(entry.path() / "problem.yaml")) continue;
    const auto problem = formats::read_problem(entry.path() / "problem.yaml");
    ASSERT_TRUE(problem) << to_string(problem.issues().at(0));
    problems.push_back(*problem);
  }
  ASSERT_FALSE(problems.empty());
  test::expect_as_on_tape<1>(problems, 1);
  test::expect_as_on_tape<4>(problems, 2);
  test::expect_as_on_tape<8>(problems, 3);
}

}  // namespace
}  // namespace salvo::fit
