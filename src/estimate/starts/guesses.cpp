#include "estimate/starts/guesses.hpp"

#include "base/nested_strata.hpp"
#include "base/random.hpp"
#include "estimate/starts/draw.hpp"

namespace salvo::estimate {
std::vector<std::map<std::string, double>> spread_guesses(const model::Problem& problem, int count,
                                                          const Options& options) {
  std::vector<std::map<std::string, double>> guesses(count);
  std::uint64_t dimension = 0;
  for (const model::Parameter& parameter : problem.parameters) {
    const auto* estimated = std::get_if<model::Estimated>(&parameter.value);
    if (estimated == nullptr) continue;
    const std::uint64_t seed = mixed_bits(mixed_bits(options.seed) ^ ++dimension);
    guesses[0][parameter.id] = estimated->guess.value_or(1.0);
    for (int n = 1; n < count; ++n) {
      Random random = Random::stream(seed, static_cast<std::uint64_t>(n));
      const double share = nested_share(seed, static_cast<std::uint32_t>(n - 1));
      guesses[n][parameter.id] =
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
