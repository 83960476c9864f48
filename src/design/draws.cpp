#include "design/draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "estimate/quantities.hpp"
#include "model/prior.hpp"
#include "model/prior_mass.hpp"

namespace salvo::design {
namespace {

constexpr int draws = 20;

// The value below which this share of the law lies, found by halving.
double quantile(const model::Prior& prior, double share) {
  const bool is_positive = model::is_positive(prior.law);
  const double lowest = is_positive ? 0 : -std::numeric_limits<double>::infinity();
  const auto below = [&](double x) { return model::probability_between(prior, lowest, x); };
  double reach = 1;
  const double centre = is_positive ? 0 : prior.location;
  const auto is_wide = [&] { return below(centre + reach) > share && (is_positive || below(centre - reach) < share); };
  while (!is_wide() && reach < 1e100) reach *= 2;
  double low = is_positive ? 0 : centre - reach, high = centre + reach;
  for (int k = 0; k < 200 && high > low; ++k) {
    const double middle = 0.5 * (low + high);
    (below(middle) < share ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double drawn(const model::Estimated& estimated, Random& random) {
  const model::Prior& prior = *estimated.prior;
  const auto on_law = [&](double value) { return prior.on_scale ? model::to_scale(estimated.scale, value) : value; };
  double value = quantile(prior, random.uniform());
  value = std::clamp(value, on_law(estimated.lower), on_law(estimated.upper));
  return prior.on_scale ? model::from_scale(estimated.scale, value) : value;
}

}  // namespace

std::vector<std::map<std::string, double>> draws_from_priors(const model::Problem& problem, std::uint64_t seed) {
  std::vector<std::map<std::string, double>> out;
  for (int n = 0; n < draws; ++n) {
    Random random = Random::stream(seed, static_cast<std::uint64_t>(n));
    std::map<std::string, double> point;
    for (const model::Parameter& parameter : problem.parameters)
      if (const auto* its = std::get_if<model::Estimated>(&parameter.value); its != nullptr && its->prior)
        point[parameter.id] = drawn(*its, random);
    for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e)
      for (int i = 0; i < static_cast<int>(problem.states.size()); ++i)
        if (const auto* its = std::get_if<model::Estimated>(&problem.experiments[e].initial[i]);
            its != nullptr && its->prior && problem.experiments[e].initial_of < 0)
          point[estimate::initial_id(problem, e, i)] = drawn(*its, random);
    if (point.empty()) return {};
    out.push_back(std::move(point));
  }
  return out;
}

}  // namespace salvo::design
