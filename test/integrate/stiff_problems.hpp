#pragma once

#include <complex>
#include <vector>

#include "helpers/problems.hpp"

// Stiff systems, as problems and written out with their Jacobians.
namespace salvo::test {

template <class Number>
using Vector = std::vector<Number>;
template <class Number>
using Square = std::vector<std::vector<Number>>;

struct Robertson {
  static model::Problem problem() {
    Builder builder(Equations{{"A", "-k1*A + k3*B*C"}, {"B", "k1*A - k3*B*C - k2*B^2"}, {"C", "k2*B^2"}});
    builder.parameter("k1", estimated(0.04)).parameter("k2", estimated(3e7)).parameter("k3", estimated(1e4));
    builder.observable("a", "A", "1").experiment("default", {"1", "0", "0"});
    return builder.build();
  }
  template <class Number>
  static Vector<Number> f(const Vector<Number>& x, double, const Vector<Number>& k) {
    return {-k[0] * x[0] + k[2] * x[1] * x[2], k[0] * x[0] - k[2] * x[1] * x[2] - k[1] * x[1] * x[1],
            k[1] * x[1] * x[1]};
  }
  template <class Number>
  static Square<Number> f_x(const Vector<Number>& x, double, const Vector<Number>& k) {
    return {{-k[0], k[2] * x[2], k[2] * x[1]},
            {k[0], -k[2] * x[2] - 2.0 * k[1] * x[1], -k[2] * x[1]},
            {Number(0), 2.0 * k[1] * x[1], Number(0)}};
  }
  template <class Number>
  static Vector<Number> f_t(const Vector<Number>& x, double, const Vector<Number>&) {
    return Vector<Number>(x.size(), Number(0));
  }
};

// A fast state that follows a slow wave, and one that it drives.
struct Follower {
  static model::Problem problem() {
    Builder builder(Equations{{"x", "-k*(x - cos(w*t))*(1 + x^2)"}, {"y", "x*y - b*y^2*t"}});
    builder.parameter("k", estimated(1e4)).parameter("w", estimated(2)).parameter("b", estimated(0.5));
    builder.observable("y", "y", "1").experiment("default", {"0.3", "0.8"});
    return builder.build();
  }
  template <class Number>
  static Vector<Number> f(const Vector<Number>& x, double t, const Vector<Number>& p) {
    return {-p[0] * (x[0] - cos(p[1] * t)) * (1.0 + x[0] * x[0]), x[0] * x[1] - p[2] * x[1] * x[1] * t};
  }
  template <class Number>
  static Square<Number> f_x(const Vector<Number>& x, double t, const Vector<Number>& p) {
    return {{-p[0] * (1.0 + 3.0 * x[0] * x[0] - 2.0 * x[0] * cos(p[1] * t)), Number(0)},
            {x[1], x[0] - 2.0 * p[2] * x[1] * t}};
  }
  template <class Number>
  static Vector<Number> f_t(const Vector<Number>& x, double t, const Vector<Number>& p) {
    return {-p[0] * p[1] * sin(p[1] * t) * (1.0 + x[0] * x[0]), -p[2] * x[1] * x[1]};
  }
};

}  // namespace salvo::test
