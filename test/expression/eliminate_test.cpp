#include "expression/eliminate.hpp"

#include <gtest/gtest.h>

#include "expression/affine.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"

namespace salvo::expression {
namespace {

NodeId node(Graph& graph, const std::string& text) { return std::get<Formula>(parse(graph, text)).node; }

TEST(Affine, PartsOfAFormulaAreCoefficientAndRest) {
  Graph graph;
  const auto parts = affine_in(graph, node(graph, "(a + 1)*z/b - c + piecewise(2*z, t < 1, d)"), graph.symbol("z"));
  ASSERT_TRUE(parts);
  EXPECT_EQ(print(graph, parts->coefficient), "(a + 1)/b + piecewise(2, t < 1, 0)");
  EXPECT_EQ(print(graph, parts->rest), "piecewise(0, t < 1, d) - c");
}

TEST(Affine, WhatIsNotIsNot) {
  Graph graph;
  for (const char* text : {"z^2", "z*z", "exp(z)", "a/z", "sign(z) + z", "piecewise(z, z < 1, 2)", "abs(z)"})
    EXPECT_FALSE(affine_in(graph, node(graph, text), graph.symbol("z"))) << text;
  const auto without = affine_in(graph, node(graph, "a + b"), graph.symbol("z"));
  ASSERT_TRUE(without);
  EXPECT_TRUE(graph.is_constant(without->coefficient, 0));
}

TEST(Affine, DifferencesOfEqualFormulasAreZero) {
  Graph graph;
  EXPECT_TRUE(is_zero_everywhere(graph, node(graph, "a*(b + c) - a*b - c*a")));
  EXPECT_TRUE(is_zero_everywhere(graph, node(graph, "0*exp(a)")));
  EXPECT_FALSE(is_zero_everywhere(graph, node(graph, "1e-13*a")));
  EXPECT_FALSE(is_zero_everywhere(graph, node(graph, "a - b")));
}

struct System {
  Graph graph{};
  Elimination out{};
  System(const std::vector<std::string>& equations, const std::vector<std::string>& unknowns,
         std::vector<int> own = {}) {
    std::vector<NodeId> g, z;
    for (const std::string& text : equations) g.push_back(node(graph, text));
    for (const std::string& id : unknowns) z.push_back(graph.symbol(id));
    own.resize(g.size(), -1);
    out = eliminate(graph, g, z, own);
  }
  std::string value(int unknown) const {
    for (const SolvedUnknown& solved : out.solved)
      if (solved.unknown == unknown) return print(graph, solved.value);
    return "";
  }
};

TEST(Elimination, ALinearSystemIsSolvedByFormulas) {
  const System system({"u + v - s", "u - v - d"}, {"u", "v"});
  EXPECT_TRUE(system.out.equations.empty());
  EXPECT_EQ(system.value(1), "(s - d)/2");
  EXPECT_EQ(system.value(0), "s - (s - d)/2");
}

TEST(Elimination, AnEquationWithOneUnknownGoesFirst) {
  const System system({"u + w^2 - x", "2*u - y"}, {"u", "w"});
  EXPECT_EQ(system.value(0), "y/2");
  ASSERT_EQ(system.out.equations, std::vector<int>{0});
  EXPECT_EQ(system.out.unknowns, std::vector<int>{1});
  EXPECT_EQ(print(system.graph, system.out.left[0]), "w^2 + y/2 - x");
}

TEST(Elimination, AnEquationIsSolvedForItsOwnUnknown) {
  const System system({"k*u - v", "v + u - x"}, {"u", "v"}, {0, 1});
  EXPECT_EQ(system.out.solved[0].unknown, 0);
  EXPECT_EQ(print(system.graph, system.out.solved[0].coefficient), "k");
}

TEST(Elimination, WhatRepeatsAnotherEquationIsLeft) {
  const System system({"u + v", "2*u + 2*v"}, {"u", "v"});
  ASSERT_EQ(system.out.left.size(), 1u);
  EXPECT_TRUE(is_zero_everywhere(system.graph, system.out.left[0]));
}

TEST(Elimination, EachEquationThatIsLeftGetsAnUnknownOfItsOwn) {
  Graph graph;
  const std::vector<NodeId> equations{node(graph, "u^2 + v^2 - 1"), node(graph, "exp(u) - x"), node(graph, "w^3 + v")};
  const std::vector<NodeId> unknowns{graph.symbol("u"), graph.symbol("v"), graph.symbol("w")};
  EXPECT_EQ(match_unknowns(graph, equations, unknowns), (std::vector<int>{1, 0, 2}));
  const std::vector<NodeId> singular{node(graph, "exp(u) - x"), node(graph, "u^2 - 1")};
  EXPECT_EQ(match_unknowns(graph, singular, unknowns), (std::vector<int>{0, -1}));
}

}  // namespace
}  // namespace salvo::expression
