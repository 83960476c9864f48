#include "model/mass.hpp"

#include <gtest/gtest.h>

#include "expression/parse.hpp"
#include "expression/print.hpp"

namespace salvo::model {
namespace {

struct Reduced {
  expression::Graph graph{};
  ReducedMass out{};
  using Row = std::vector<std::pair<int, std::string>>;
  Reduced(const std::vector<Row>& rows, const std::vector<std::string>& f) {
    MassRows mass;
    std::vector<NodeId> right;
    for (const Row& row : rows) {
      auto& entries = mass.emplace_back();
      for (const auto& [state, text] : row) entries.push_back({state, node(text)});
    }
    for (const std::string& text : f) right.push_back(node(text));
    out = reduce_mass(graph, mass, right);
  }
  NodeId node(const std::string& text) { return std::get<expression::Formula>(expression::parse(graph, text)).node; }
  std::string text(NodeId id) const { return expression::print(graph, id); }
};

// A capacitor between two nodes: its charge moves, and the currents into it sum up to zero.
TEST(Mass, ACapacitorBetweenTwoNodesIsOneDifferentialEquation) {
  const Reduced reduced({{{0, "-C"}, {1, "C"}}, {{0, "C"}, {1, "-C"}}}, {"f1", "f2"});
  ASSERT_EQ(reduced.out.combinations.size(), 1u);
  EXPECT_EQ(reduced.out.combinations[0].state, 0);
  ASSERT_EQ(reduced.out.combinations[0].others.size(), 1u);
  EXPECT_EQ(reduced.text(reduced.out.combinations[0].derivative), "f1/-C");
  EXPECT_EQ(reduced.out.algebraic, std::vector<int>{1});
  ASSERT_EQ(reduced.out.zeros.size(), 1u);
}

TEST(Mass, ARegularOneIsInverted) {
  const Reduced reduced({{{0, "2"}}, {{0, "1"}, {1, "4"}}}, {"f", "g"});
  ASSERT_EQ(reduced.out.combinations.size(), 2u);
  EXPECT_TRUE(reduced.out.zeros.empty());
  EXPECT_TRUE(reduced.out.combinations[0].others.empty());
  EXPECT_TRUE(reduced.out.combinations[1].others.empty());
}

TEST(Mass, ARowOfZerosIsAnAlgebraicEquation) {
  const Reduced reduced({{{0, "1"}}, {}}, {"f", "g"});
  ASSERT_EQ(reduced.out.zeros.size(), 1u);
  EXPECT_EQ(reduced.text(reduced.out.zeros[0].g), "g");
  EXPECT_EQ(reduced.out.algebraic, std::vector<int>{1});
}

}  // namespace
}  // namespace salvo::model
