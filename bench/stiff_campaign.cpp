// How often a fit of stiff reactions reaches the best optimum known, from one attempt each: Robertson's reactions and
// two enzymes of the gallery, guesses drawn log-uniformly within the bounds of the file.
//   stiff_campaign [examples] [count] [seeds]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "campaign.hpp"
#include "fit/fit.hpp"
#include "formats/problem/read.hpp"

namespace {

using namespace salvo;

std::map<std::string, double> drawn(const model::Problem& problem, Random& random) {
  std::map<std::string, double> guess;
  for (const model::Parameter& parameter : problem.parameters)
    if (const auto* estimated = std::get_if<model::Estimated>(&parameter.value)) {
      const double lower = std::log(estimated->lower);
      guess[parameter.id] = std::exp(lower + random.uniform() * (std::log(estimated->upper) - lower));
    }
  return guess;
}

// Converged where the log-likelihood is that of the best of all, to 1e-3.
int run(bench::Campaign& campaign, const std::string& name, const model::Problem& problem, int count, int seed) {
  const auto llh = campaign.run<double>(fmt::format("{} {}", name, seed), count + 1, [&](int n) {
    Random random = Random::stream(seed, n);
    fit::Options options;
    if (n > 0) options.guess = drawn(problem, random);
    const FitResult result = fit::fit(problem, options, {});
    return result.status == Status::converged ? result.llh : -HUGE_VAL;
  });
  const double best = *std::max_element(llh.begin(), llh.end());
  return static_cast<int>(std::count_if(llh.begin() + 1, llh.end(), [best](double at) { return at >= best - 1e-3; }));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string examples = argc > 1 ? argv[1] : "examples";
  const int count = argc > 2 ? std::max(1, std::atoi(argv[2])) : 15;
  const int seeds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 3;
  bench::Campaign campaign(argc, argv);
  for (const std::string name : {"robertson", "enzyme", "mechanism"}) {
    const auto problem = formats::read_problem(fmt::format("{}/{}/{}.yaml", examples, name, name));
    if (!problem) {
      fmt::print(stderr, "{} cannot be read in {}\n", name, examples);
      return 1;
    }
    for (int seed = 1; seed <= seeds; ++seed)
      fmt::print("{:<12} seed {}  {:>4} of {}\n", name, seed, run(campaign, name, *problem, count, seed), count),
          std::fflush(stdout);
  }
  campaign.finish();
}
