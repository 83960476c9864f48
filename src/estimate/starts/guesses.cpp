#include "estimate/starts/guesses.hpp"

#include <algorithm>
#include <numeric>

#include "base/random.hpp"
#include "estimate/starts/draw.hpp"

namespace salvo::estimate {
namespace {

std::vector<int> permutation(int count, Random& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[static_cast<int>(random.uniform() * (i + 1))]);
  return order;
}

}  // namespace

std::vector<std::map<std::string, double>> spread_guesses(const model::Problem& problem, int count,
                                                          const Options& options) {
  std::vector<std::map<std::string, double>> guesses(count);
  const int count_drawn = count - 1;
  int dimension = 0;
  for (const model::Parameter& parameter : problem.parameters) {
    const auto* estimated = std::get_if<model::Estimated>(&parameter.value);
    if (estimated == nullptr) continue;
    guesses[0][parameter.id] = estimated->guess.value_or(1.0);
    Random random = Random::stream(options.seed, ++dimension);
    const std::vector<int> stratum = permutation(std::max(count_drawn, 0), random);
    for (int n = 0; n < count_drawn; ++n) {
      const double share = (stratum[n] + random.uniform()) / count_drawn;
      guesses[n + 1][parameter.id] =
          model::from_scale(estimated->scale, drawn(*estimated, share, random, options.rules.draw));
    }
  }
  return guesses;
}

void set_guess_of_start(Options& options, std::map<std::string, double> guess) {
  if (options.guess.empty()) options.guess_from = GuessFrom::draw;
  guess.swap(options.guess);
  for (const auto& [name, value] : guess) options.guess[name] = value;
}

}  // namespace salvo::estimate
