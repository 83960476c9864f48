#include "salvo/formula.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "expression/print.hpp"
#include "salvo/builder.hpp"

namespace salvo {
namespace {

struct Symbols {
  ProblemBuilder builder{};
  Formula x = builder.state("x");
  Formula k = builder.parameter("k", 2.0);
  Formula t = builder.time();
};

// As the parser reads the same text.
std::string equation_of(const std::function<Formula(Formula x, Formula k, Formula t)>& right) {
  Symbols s;
  s.builder.equation(s.x, right(s.x, s.k, s.t)).initial(s.x, 1).observable("y", s.x, {.noise = 1}).measure("y", 1, 1);
  const auto problem = s.builder.build();
  return problem ? expression::print(problem->graph, problem->states[0].derivative) : to_string(problem.issues()[0]);
}

TEST(Formula, IsWrittenWithOperators) {
  EXPECT_EQ(equation_of([](auto x, auto k, auto) { return -k * x; }), "-k*x");
  EXPECT_EQ(equation_of([](auto x, auto k, auto t) { return k * exp(-t) / (1 + x) - 3; }), "k*exp(-t)/(x + 1) - 3");
  EXPECT_EQ(equation_of([](auto x, auto, auto) { return pow(x, 2) + sqrt(x) + tanh(2 * x); }),
            "sqrt(x) + x^2 + tanh(2*x)");
}

TEST(Formula, OfTwoBuildersIsRefused) {
  Symbols one;
  Symbols other;
  EXPECT_THROW(one.x + other.x, std::invalid_argument);
  EXPECT_THROW(select(one.x < 1, other.x, 0), std::invalid_argument);
  one.builder.equation(one.x, other.x);
  ASSERT_FALSE(one.builder.build());
}

TEST(Formula, OfNumbersIsANumber) {
  const Formula number = 2 * Formula(3) + exp(Formula(0));
  expression::Graph graph;
  EXPECT_EQ(graph[number.in(graph)].value, 7);
}

TEST(Formula, KnowsConditions) {
  EXPECT_EQ(equation_of([](auto x, auto k, auto t) { return select(t > 2 && x < 1, k, 0); }),
            "piecewise(k, 2 < t && x < 1, 0)");
}

TEST(Formula, GrowsInPlace) {
  EXPECT_EQ(equation_of([](auto x, auto k, auto t) {
              Formula sum = x;
              sum += k;
              sum *= t;
              sum -= 1;
              sum /= 2;
              return sum;
            }),
            "((x + k)*t - 1)/2");
}

}  // namespace
}  // namespace salvo
