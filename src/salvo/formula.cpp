#include "salvo/formula.hpp"

#include <stdexcept>

namespace salvo {

using expression::Op;

expression::NodeId Formula::in(expression::Graph& graph) const {
  if (!belongs_to(graph)) throw std::invalid_argument("a formula is made of symbols of two builders");
  return graph_ == nullptr ? graph.constant(number_) : node_;
}

Formula apply(Op op, const Formula& a, const Formula* b, const Formula* c) {
  const auto number = [](const Formula* f) { return f != nullptr ? f->number_ : 0; };
  const auto node = [](const Formula* f, expression::Graph& in) {
    return f != nullptr ? f->in(in) : expression::no_node;
  };
  for (const Formula* argument : {&a, b, c})
    if (argument != nullptr && argument->graph_ != nullptr) {
      expression::Graph& graph = *argument->graph_;
      return {argument->graph_, graph.make(op, a.in(graph), node(b, graph), node(c, graph))};
    }
  return expression::apply(op, a.number_, number(b), number(c));
}

namespace {

Formula make(Op op, const Formula& a) { return apply(op, a, nullptr, nullptr); }
Formula make(Op op, const Formula& a, const Formula& b) { return apply(op, a, &b, nullptr); }

}  // namespace

Formula& Formula::operator+=(const Formula& b) { return *this = *this + b; }
Formula& Formula::operator-=(const Formula& b) { return *this = *this - b; }
Formula& Formula::operator*=(const Formula& b) { return *this = *this * b; }
Formula& Formula::operator/=(const Formula& b) { return *this = *this / b; }

Formula operator-(const Formula& a) { return make(Op::negate, a); }
Formula operator+(const Formula& a, const Formula& b) { return make(Op::add, a, b); }
Formula operator-(const Formula& a, const Formula& b) { return make(Op::subtract, a, b); }
Formula operator*(const Formula& a, const Formula& b) { return make(Op::multiply, a, b); }
Formula operator/(const Formula& a, const Formula& b) { return make(Op::divide, a, b); }

Formula pow(const Formula& base, const Formula& exponent) { return make(Op::power, base, exponent); }
Formula exp(const Formula& a) { return make(Op::exp, a); }
Formula log(const Formula& a) { return make(Op::log, a); }
Formula log2(const Formula& a) { return make(Op::log2, a); }
Formula log10(const Formula& a) { return make(Op::log10, a); }
Formula sqrt(const Formula& a) { return make(Op::sqrt, a); }
Formula abs(const Formula& a) { return make(Op::abs, a); }
Formula sin(const Formula& a) { return make(Op::sin, a); }
Formula cos(const Formula& a) { return make(Op::cos, a); }
Formula tan(const Formula& a) { return make(Op::tan, a); }
Formula asin(const Formula& a) { return make(Op::asin, a); }
Formula acos(const Formula& a) { return make(Op::acos, a); }
Formula atan(const Formula& a) { return make(Op::atan, a); }
Formula sinh(const Formula& a) { return make(Op::sinh, a); }
Formula cosh(const Formula& a) { return make(Op::cosh, a); }
Formula tanh(const Formula& a) { return make(Op::tanh, a); }
Formula min(const Formula& a, const Formula& b) { return make(Op::minimum, a, b); }
Formula max(const Formula& a, const Formula& b) { return make(Op::maximum, a, b); }
Formula delay(const Formula& a, const Formula& tau) { return make(Op::delay, a, tau); }

Formula operator<(const Formula& a, const Formula& b) { return make(Op::less, a, b); }
Formula operator<=(const Formula& a, const Formula& b) { return make(Op::less_equal, a, b); }
Formula operator>(const Formula& a, const Formula& b) { return make(Op::less, b, a); }
Formula operator>=(const Formula& a, const Formula& b) { return make(Op::less_equal, b, a); }
Formula operator&&(const Formula& a, const Formula& b) { return make(Op::logical_and, a, b); }
Formula operator||(const Formula& a, const Formula& b) { return make(Op::logical_or, a, b); }
Formula operator!(const Formula& a) { return make(Op::logical_not, a); }
Formula select(const Formula& condition, const Formula& if_true, const Formula& otherwise) {
  return apply(Op::select, condition, &if_true, &otherwise);
}

}  // namespace salvo
