#pragma once

#include <memory>

#include "expression/graph.hpp"

namespace salvo {

// A formula of states, parameters and time. A ProblemBuilder gives out its symbols; numbers, operators and the
// functions below make formulas of them:   -k*x + exp(-t)/2
class Formula {
 public:
  Formula(double number) : number_(number) {}

  // The node in a graph. Throws std::invalid_argument if its symbols come from another one: operators have no other way
  // to refuse a mixture.
  expression::NodeId in(expression::Graph& graph) const;
  bool belongs_to(const expression::Graph& graph) const { return graph_ == nullptr || graph_.get() == &graph; }

  Formula& operator+=(const Formula& b);
  Formula& operator-=(const Formula& b);
  Formula& operator*=(const Formula& b);
  Formula& operator/=(const Formula& b);

 private:
  friend class ProblemBuilder;
  friend Formula apply(expression::Op op, const Formula& a, const Formula* b, const Formula* c);
  Formula(std::shared_ptr<expression::Graph> graph, expression::NodeId node) : graph_(std::move(graph)), node_(node) {}

  std::shared_ptr<expression::Graph> graph_{};  // none: a number
  expression::NodeId node_ = expression::no_node;
  double number_ = 0;
};

Formula operator-(const Formula& a);
Formula operator+(const Formula& a, const Formula& b);
Formula operator-(const Formula& a, const Formula& b);
Formula operator*(const Formula& a, const Formula& b);
Formula operator/(const Formula& a, const Formula& b);

Formula pow(const Formula& base, const Formula& exponent);
Formula exp(const Formula& a);
Formula log(const Formula& a);
Formula log2(const Formula& a);
Formula log10(const Formula& a);
Formula sqrt(const Formula& a);
Formula abs(const Formula& a);
Formula sin(const Formula& a);
Formula cos(const Formula& a);
Formula tan(const Formula& a);
Formula asin(const Formula& a);
Formula acos(const Formula& a);
Formula atan(const Formula& a);
Formula sinh(const Formula& a);
Formula cosh(const Formula& a);
Formula tanh(const Formula& a);
Formula min(const Formula& a, const Formula& b);
Formula max(const Formula& a, const Formula& b);

// What `a` was `tau` earlier, a formula of parameters.
Formula delay(const Formula& a, const Formula& tau);

// Truth, as select() takes it.
Formula operator<(const Formula& a, const Formula& b);
Formula operator<=(const Formula& a, const Formula& b);
Formula operator>(const Formula& a, const Formula& b);
Formula operator>=(const Formula& a, const Formula& b);
Formula operator&&(const Formula& a, const Formula& b);
Formula operator||(const Formula& a, const Formula& b);
Formula operator!(const Formula& a);
Formula select(const Formula& condition, const Formula& if_true, const Formula& otherwise);

}  // namespace salvo
