#pragma once

#include <vector>

#include "compile/formulas.hpp"
#include "compile/kernel.hpp"

namespace salvo::compile {

// An explicit Runge-Kutta method by its coefficients. `error` is b minus the embedded weights, with one more weight
// for f(x+); empty where there is none.
struct Tableau {
  std::vector<double> c{};
  std::vector<std::vector<double>> a{};  // row i has i entries
  std::vector<double> b{};
  std::vector<double> error{};

  int stages() const { return static_cast<int>(b.size()); }
};

// A whole step of such a method as one formula, and its derivatives as those of that formula
// (docs/mathematics.md, section 16). Stages that follow one another in registers, without an array between them, are
// worth it for small models; a kernel that would be too long is empty.
struct StepKernels {
  Kernel step{};  // seed [h, f(x)]: [X_2 .. X_s, x+, f(x+), f(X_s), estimated error]; the last two if there is one
  Kernel push{};  // seed [h, T by columns], kept X_2 .. X_s: dx+/dx T + [0 dx+/dp] by columns, one for each of (x, p)
  Kernel pull{};  // seed [h, lambda, g], kept X_2 .. X_s: [lambda' dx+/dx, g + lambda' dx+/dp]
};

// `wanted` says which derivatives; what is not wanted stays empty.
struct StepDerivatives {
  bool push = false;
  bool pull = false;
};
StepKernels step_kernels(Formulas formulas, const Tableau& tableau, const StepDerivatives& wanted);

inline constexpr int longest_step = 1'500;  // instructions; longer lists gain little over loops and translate slowly

// About how many a step has, without its derivatives, where f has so many.
int length_of_whole_step(int instructions_of_f, int states, const Tableau& tableau);

}  // namespace salvo::compile
