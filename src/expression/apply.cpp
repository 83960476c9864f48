#include <cmath>

#include "expression/graph.hpp"

namespace salvo::expression {
namespace {

double truth(bool value) { return value ? 1.0 : 0.0; }
bool is_true(double value) { return value != 0; }

// A NaN on either side is passed on, so that the order of the arguments does not matter.
double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

// Zero keeps its sign and a NaN stays one.
double sign_of(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }

}  // namespace

double apply(Op op, double a, double b, double c) {
  switch (op) {
    case Op::constant:
    case Op::symbol: break;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return std::pow(a, b);
    case Op::minimum: return smaller(a, b);
    case Op::maximum: return larger(a, b);
    case Op::less: return truth(a < b);
    case Op::less_equal: return truth(a <= b);
    case Op::equal: return truth(a == b);
    case Op::not_equal: return truth(a != b);
    case Op::logical_and: return truth(is_true(a) && is_true(b));
    case Op::logical_or: return truth(is_true(a) || is_true(b));
    case Op::negate: return -a;
    case Op::logical_not: return truth(!is_true(a));
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::log2: return std::log2(a);
    case Op::log10: return std::log10(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::abs: return std::abs(a);
    case Op::sign: return sign_of(a);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::asinh: return std::asinh(a);
    case Op::acosh: return std::acosh(a);
    case Op::atanh: return std::atanh(a);
    case Op::select: return is_true(a) ? b : c;
    case Op::delay: return a;  // as a constant was before, too
    case Op::derivative_x:
    case Op::derivative_y:
    case Op::second_derivative_x:
    case Op::second_derivative_y:
    case Op::divergence:
    case Op::gradient:
    case Op::integral:
    case Op::mean:
    case Op::at:
    case Op::pair:
    case Op::stretch: break;
  }
  return std::nan("");  // neither a constant, a symbol nor an operation on fields is computed from numbers
}

}  // namespace salvo::expression
