// Another optimiser on Salvo's objective: a problem file is compiled once, and NLopt minimises it. with_nlopt PROBLEM
#include <cmath>
#include <cstdio>
#include <nlopt.hpp>
#include <salvo/objective.hpp>
#include <salvo/read.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const auto problem = salvo::formats::read_problem(argv[1]);
  if (!problem) {
    for (const auto& issue : problem.issues()) std::puts(to_string(issue).c_str());
    return 1;
  }
  const auto objective = salvo::Objective::make(*problem);
  if (!objective) return 1;

  // Called by NLopt as often as it likes; a point without a value is worse than any other.
  const auto evaluate = [](unsigned count, const double* x, double* gradient, void* data) {
    const auto& objective = *static_cast<const salvo::Objective*>(data);
    double value = HUGE_VAL;
    if (gradient == nullptr)
      objective.value({x, count}, value);
    else
      objective.gradient({x, count}, value, {gradient, count});
    return value;
  };

  const auto count = static_cast<unsigned>(objective->quantities().size());
  nlopt::opt optimiser(nlopt::LD_SLSQP, count);
  std::vector<double> lower, upper, x = objective->guess();
  for (const auto& quantity : objective->quantities()) {
    lower.push_back(quantity.lower);
    upper.push_back(quantity.upper);
  }
  optimiser.set_lower_bounds(lower);
  optimiser.set_upper_bounds(upper);
  optimiser.set_xtol_rel(1e-10);
  optimiser.set_min_objective(evaluate, const_cast<salvo::Objective*>(&*objective));

  double least = 0;
  optimiser.optimize(x, least);
  std::printf("objective = %.4f\n", least);
  for (unsigned i = 0; i < count; ++i)
    std::printf("%s = %.4f\n", objective->quantities()[i].id.c_str(),
                salvo::model::from_scale(objective->quantities()[i].scale, x[i]));
  return 0;
}
