// A program outside the project that uses the installed library: the data follow exp(-0.5 t), so k must be 0.5.
#include <cmath>
#include <cstdio>

#include "fit/fit.hpp"
#include "formats/problem/read.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const auto problem = salvo::formats::read_problem(argv[1]);
  if (!problem) {
    for (const auto& issue : problem.issues()) std::puts(to_string(issue).c_str());
    return 1;
  }
  const auto result = salvo::fit::fit(*problem, {}, {});
  std::puts(result.message.c_str());
  if (result.status != salvo::fit::Status::converged) return 1;
  const double k = result.parameters.front().estimate;
  std::printf("k = %.8f\n", k);
  return std::fabs(k - 0.5) < 1e-6 ? 0 : 1;
}
