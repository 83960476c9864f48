#include "model/algebraic.hpp"

#include <gtest/gtest.h>

#include "expression/parse.hpp"
#include "expression/print.hpp"

namespace salvo::model {
namespace {

// The equations of `states` and 0 = g for every variable, each equation meant for the variable beside it.
struct Given {
  expression::Graph graph{};
  NodeId time = graph.symbol("t");
  std::vector<State> states{};
  AlgebraicSystem system{};
  AlgebraicSolution solution{};

  using Pairs = std::vector<std::pair<std::string, std::string>>;
  Given(const Pairs& differential, const Pairs& algebraic) {
    for (const auto& [id, f] : differential)
      states.push_back({.id = id, .symbol = graph.symbol(id), .derivative = node(f)});
    for (const auto& [id, g] : algebraic) {
      system.equations.push_back({.g = node(g), .text = g, .own = static_cast<int>(system.variables.size())});
      system.variables.push_back({id, graph.symbol(id)});
    }
    solution = solve_algebraic(graph, system, states, time);
  }
  NodeId node(const std::string& text) { return std::get<expression::Formula>(expression::parse(graph, text)).node; }
  std::string message() const { return solution.troubles.empty() ? "" : solution.troubles[0].message; }
  std::string hint() const { return solution.troubles.empty() ? "" : solution.troubles[0].hint; }
};

TEST(AlgebraicSystem, WhatIsAffineIsAFormula) {
  const Given given({{"S1", "k2*S2"}}, {{"S2", "S1 + S2 - k1"}});
  ASSERT_EQ(given.solution.found.size(), 1u);
  EXPECT_EQ(print(given.graph, given.solution.found[0].value), "k1 - S1");
  EXPECT_EQ(given.solution.found[0].divisor, expression::no_node);
}

TEST(AlgebraicSystem, AFormulaThatDividesSaysByWhat) {
  const Given given({{"x", "-z"}}, {{"z", "(x - 1)*z - k"}});
  ASSERT_EQ(given.solution.found.size(), 1u);
  EXPECT_EQ(print(given.graph, given.solution.found[0].value), "k/(x - 1)");
  EXPECT_EQ(print(given.graph, given.solution.found[0].divisor), "x - 1");
}

TEST(AlgebraicSystem, WhatNoFormulaSolvesGoesToAVariableThatItContains) {
  const Given given({{"x", "-u"}}, {{"u", "v^3 + v - x"}, {"v", "u^2 + v - exp(u)"}});
  ASSERT_EQ(given.solution.found.size(), 2u);
  EXPECT_EQ(print(given.graph, given.solution.found[1].value), "exp(u) - u^2") << "v, from the second equation";
  EXPECT_EQ(given.solution.found[0].equation, 0);
  EXPECT_EQ(given.solution.found[0].value, expression::no_node);
}

TEST(AlgebraicSystem, AVariableInNoEquationIsNamed) {
  const Given given({{"x", "-x"}}, {{"z", "x - 1"}});
  EXPECT_EQ(given.message(), "'z' is in none of the algebraic equations: nothing determines it");
}

TEST(AlgebraicSystem, AnEquationThatRepeatsAnotherIsNamed) {
  for (const char* again : {"z1 + z2", "2*z1 + 2*z2", "k*z2 + z1*k"}) {
    const Given given({{"x", "-z1"}}, {{"z1", "z1 + z2"}, {"z2", again}});
    EXPECT_EQ(given.message(), std::string("0 = ") + again +
                                   " says what the other algebraic equations say already and leaves 'z2' undetermined");
  }
}

TEST(AlgebraicSystem, OneThatContradictsAnotherIsNamed) {
  const Given given({{"x", "-z1"}}, {{"z1", "z1 + z2 - 1"}, {"z2", "z1 + z2 - 2"}});
  EXPECT_EQ(given.message(),
            "0 = z1 + z2 - 2 cannot be solved for 'z2': once the other equations are put in, it does "
            "not contain it");
}

// The circle of a pendulum without gravity: the force is in its second derivative.
TEST(AlgebraicSystem, AHigherIndexIsRefusedWithTheDerivativeToWrite) {
  const Given given({{"x1", "x3"}, {"x2", "x4"}, {"x3", "lambda*x1"}, {"x4", "lambda*x2"}},
                    {{"lambda", "L^2 - x1^2 - x2^2"}});
  ASSERT_EQ(given.solution.troubles.size(), 1u);
  const AlgebraicTrouble& trouble = given.solution.troubles[0];
  EXPECT_EQ(trouble.kind, Issue::Kind::unsupported);
  EXPECT_EQ(trouble.message,
            "'lambda' is not determined: L^2 - x1^2 - x2^2 does not contain it. By structure this is index 3");
  EXPECT_NE(trouble.hint.find("replace that line by its second derivative"), std::string::npos) << trouble.hint;
  EXPECT_NE(trouble.hint.find("0 = L^2 - x1^2 - x2^2 and 0 ="), std::string::npos) << trouble.hint;
}

TEST(AlgebraicSystem, IndexTwoIsTold) {
  const Given given({{"x", "z - x"}, {"y", "x*y"}}, {{"z", "x - y"}});
  ASSERT_FALSE(given.solution.troubles.empty());
  EXPECT_NE(given.solution.troubles.back().message.find("By structure this is index 2"), std::string::npos);
}

TEST(AlgebraicSystem, AutoBecomesRodas5pWhereItIsNeeded) {
  Problem problem;
  problem.states.resize(2);
  EXPECT_TRUE(std::holds_alternative<AutoIntegrator>(integrator_for(problem, {})));
  problem.states[1].is_algebraic = true;
  EXPECT_TRUE(std::holds_alternative<Rodas5p>(integrator_for(problem, {})));
  EXPECT_TRUE(std::holds_alternative<Rk4>(integrator_for(problem, Integrator(Rk4{0.1}))));
  EXPECT_FALSE(knows_algebraic_states(Cvodes{}));
}

}  // namespace
}  // namespace salvo::model
