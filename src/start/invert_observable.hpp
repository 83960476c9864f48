#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "start/rules.hpp"

namespace salvo::start {

// A state as an observable's value reveals it.
struct Inverted {
  double state = 0;
  double slope = 0;  // dg/dx there
  double sigma = 0;  // what the observable's noise formula says there
};

// Solves g(x, t, p) = value for one component of x, the others given, from where that component stands: on the branch
// of the guess. Newton's method, its steps halved until |g - value| falls.
class ObservableInverter {
 public:
  // `model` must outlive this object.
  explicit ObservableInverter(const compile::CompiledModel& model, const LeastSquaresRules& rules = {})
      : model_(model), iterations_(rules.iterations) {}

  // Nothing if it finds no root. Where x[state] is left does not matter.
  std::optional<Inverted> invert(int observable, double value, double t, std::span<const double> p, std::span<double> x,
                                 int state);

 private:
  const compile::CompiledModel& model_;
  int iterations_;
  std::vector<double> work_, out_;
};

}  // namespace salvo::start
