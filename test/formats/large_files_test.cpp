#include <gtest/gtest.h>

#include <string>

#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

// Files of a size that takes minutes if anything in reading them grows faster than they do.
namespace salvo::formats::large_files_test {
namespace {

const std::string head =
    "equations: {x: -k*x}\nparameters: {k: {guess: 1}}\ninitial: {x: 1}\n"
    "observables: {y: {formula: x, noise: 0.1}}\ndata: data.csv\n";

TEST(LargeFiles, MayHaveManyExperiments) {
  constexpr int count = 50'000;
  std::string problem_text = head + "experiments:\n";
  std::string data = "time,experiment,y\n";
  for (int e = 0; e < count; ++e) {
    problem_text += "  e" + std::to_string(e) + ": {}\n";
    data += "1,e" + std::to_string(count - 1 - e) + ",0.3\n";
  }
  const Folder folder({{"problem.yaml", problem_text}, {"data.csv", data}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->measurements.size(), static_cast<std::size_t>(count));
  for (int e = 0; e < count; ++e) ASSERT_EQ(problem->measurements[e].experiment, count - 1 - e);
}

TEST(LargeFiles, MayHaveALongChainOfDefinitions) {
  constexpr int count = 50'000;
  std::string text = "equations: {x: -a" + std::to_string(count) + "*x}\n" + head.substr(head.find('\n') + 1) +
                     "definitions:\n  a0: k*t\n";
  for (int i = 1; i <= count; ++i) text += "  a" + std::to_string(i) + ": a" + std::to_string(i - 1) + " + 0.5\n";
  const Folder folder({{"problem.yaml", text}, {"data.csv", "time,y\n1,0.3\n"}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(expression::symbols_of(problem->graph, {&problem->states[0].derivative, 1}).size(), 3u);  // k, t, x
}

TEST(LargeFiles, MayHaveManyRows) {
  constexpr int count = 500'000;
  std::string data = "time,y\n";
  for (int i = 0; i < count; ++i) data += std::to_string(i) + (i % 2 == 0 ? ",1.5\n" : ",NA\n");
  const Folder folder({{"problem.yaml", head}, {"data.csv", data}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->measurements.size(), count / 2u);
  EXPECT_EQ(problem->measurements.back().time, count - 2);
}

// Places of names are looked for only where there is something to say about them.
TEST(LargeFiles, MayHaveFormulasOfManyNames) {
  constexpr int count = 90'000;
  std::string sum;
  std::string parameters;
  for (int i = 0; i < count; ++i) {
    sum += " + k" + std::to_string(i);
    parameters += "  k" + std::to_string(i) + ": 1\n";
  }
  const std::string rest = "initial: {x: 1}\nobservables: {y: {formula: x, noise: 0.1}}\ndata: data.csv\n";
  const std::string equations = "equations: {x: -k*x" + sum + "}\n" + rest + "parameters:\n  k: {guess: 1}\n";
  const Folder known({{"problem.yaml", equations + parameters}, {"data.csv", "time,y\n1,0.3\n"}});
  const auto problem = read_problem(known / "problem.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  const Folder unknown({{"problem.yaml", equations}, {"data.csv", "time,y\n1,0.3\n"}});
  const auto refused = read_problem(unknown / "problem.yaml");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.issues().front().message, "unknown name 'k0' in the equation of x");
  EXPECT_EQ(refused.issues().back().message, "and " + std::to_string(count - 100) + " more");
}

TEST(LargeFiles, AreRefusedWhereNobodyCanHaveWrittenThem) {
  std::string text = head;
  text.resize(std::size_t{17} << 20, '\n');
  const Folder folder({{"problem.yaml", text}});
  const auto problem = read_problem(folder / "problem.yaml");
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.issues().front().message, "the file has 17 MiB; of a problem file no more than 16 are read");
}

}  // namespace
}  // namespace salvo::formats::large_files_test
