#include <gtest/gtest.h>

#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::networks_test {
namespace {

// The good problem with a network from line 16 on, used in the equation of x2.
std::string neural(const std::string& lines) {
  std::string text = longer("networks:\n" + lines);
  const std::string equation = "p3*x2 - p4*x1*x2";
  return text.replace(text.find(equation), equation.size(), "f1 - p4*x1*x2");
}

Result<model::Problem> read(const std::string& text) {
  const Folder folder({{"problem.yaml", text}, {"data.csv", good_data()}});
  return read_problem(folder / "problem.yaml");
}

TEST(Networks, BringTheirWeightsAsParameters) {
  const auto problem =
      read(neural("  f: {inputs: [x1, x2 - p1], outputs: 1, hidden: [3], seed: 7, prior: normal(0, 2)}\n"));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->networks.size(), 1u);
  const model::Network& network = problem->networks[0];
  EXPECT_EQ(network.widths, (std::vector<int>{2, 3, 1}));
  EXPECT_EQ(network.first_parameter, 4);
  ASSERT_EQ(problem->parameters.size(), 4u + 13);
  EXPECT_EQ(problem->parameters[4].id, "f_w1_1_1");
  EXPECT_EQ(problem->parameters[9].id, "f_w1_3_2");
  EXPECT_EQ(problem->parameters[10].id, "f_b1_1");
  EXPECT_EQ(problem->parameters[16].id, "f_b2_1");
  const auto& weight = std::get<model::Estimated>(problem->parameters[4].value);
  ASSERT_TRUE(weight.prior);
  EXPECT_EQ(weight.prior->spread, 2);
  const auto symbols = expression::symbols_of(problem->graph, {&problem->states[1].derivative, 1});
  EXPECT_EQ(symbols.size(), 2u + 2 + 13);  // x1, x2, p1, p4 and every weight
}

TEST(Networks, MayFeedDefinitionsAndBeFedByThem) {
  const auto problem =
      read(neural("  g: {inputs: [twice], outputs: 2}\n"
                  "  f: {inputs: [half, t], outputs: 1}\n"
                  "definitions: {half: g2/2, twice: 2*x1}\n"));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(problem->networks.size(), 2u);
}

TEST(Networks, AProblemMayHaveNoOtherParameters) {
  const auto problem = read(
      "equations: {x: f1}\ninitial: {x: 1}\nnetworks:\n  f: {inputs: [x], outputs: 1, hidden: [2]}\n"
      "observables: {predator: {formula: x, noise: 1}, prey: {formula: x, noise: 1}}\ndata: data.csv\n");
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(problem->parameters.size(), 7u);
}

struct Wrong {
  std::string lines{};
  int line = 0;
  int column = 0;
  std::string message{};
  std::string hint{};
};

TEST(Networks, MistakesAreToldWithTheirPlace) {
  for (const Wrong& wrong : std::vector<Wrong>{
           {"  f: {outputs: 1}\n", 17, 3, "has no inputs", "inputs: [x1, x2]"},
           {"  f: {inputs: [], outputs: 1}\n", 17, 15, "must be a list of formulas", ""},
           {"  f: {inputs: x1, outputs: 1}\n", 17, 15, "must be a list of formulas", "[x1, x2]"},
           {"  f: {inputs: [x1]}\n", 17, 3, "how many outputs", "f1 and f2"},
           {"  f: {inputs: [x1], outputs: 0}\n", 17, 30, "a whole number from 1", ""},
           {"  f: {inputs: [x1], outputs: 1.5}\n", 17, 30, "a whole number from 1", ""},
           {"  f: {inputs: [x9], outputs: 1}\n", 17, 16, "unknown name 'x9' in an input of the network f", "x1"},
           {"  f: {inputs: [x1], outputs: 1, hidden: 16}\n", 17, 41, "list of their sizes", "[16, 16]"},
           {"  f: {inputs: [x1], outputs: 1, hidden: [4, -1]}\n", 17, 45, "a whole number from 1", ""},
           {"  f: {inputs: [x1], outputs: 1, activation: tan}\n", 17, 45, "unknown activation 'tan'", "'tanh'"},
           {"  f: {inputs: [x1], outputs: 1, seed: -3}\n", 17, 39, "zero or more", ""},
           {"  f: {inputs: [x1], outputs: 1, layers: 3}\n", 17, 33, "unknown option 'layers'", "hidden"},
           {"  f: {inputs: [x1], outputs: 1, prior: normal(0)}\n", 17, 40, "the prior of the network f",
            "normal(0, 1)"},
           {"  f: {inputs: [x1], outputs: 1, hidden: [1000, 1000]}\n", 17, 3, "weights, more than", "smaller"},
           {"  f: {inputs: [f1], outputs: 1}\n", 17, 3, "in a circle: f -> f", ""},
           {"  p: {inputs: [x1], outputs: 1}\n  f: {inputs: [x1], outputs: 1}\n", 17, 3, "'p1' is defined twice", ""},
           {"  sin: {inputs: [x1], outputs: 1}\n  f: {inputs: [x1], outputs: 1}\n", 17, 3, "has a meaning", ""}}) {
    SCOPED_TRACE(wrong.lines);
    const auto problem = read(neural(wrong.lines));
    ASSERT_FALSE(problem);
    ASSERT_EQ(problem.issues().size(), 1u) << to_string(problem.issues().back());
    const Issue& issue = problem.issues()[0];
    EXPECT_EQ(issue.line, wrong.line);
    EXPECT_EQ(issue.column, wrong.column);
    EXPECT_NE(issue.message.find(wrong.message), std::string::npos) << issue.message;
    EXPECT_NE(issue.hint.find(wrong.hint), std::string::npos) << issue.hint;
  }
}

TEST(Networks, ThousandsOfLayersAreRefused) {
  std::string layers = "1";
  for (int i = 0; i < 5000; ++i) layers += ", 1";
  const auto problem = read(neural("  f: {inputs: [x1], outputs: 1, hidden: [" + layers + "]}\n"));
  ASSERT_FALSE(problem);
  EXPECT_NE(problem.issues()[0].message.find("5001 hidden layers"), std::string::npos);
}

}  // namespace
}  // namespace salvo::formats::networks_test
