#include "formats/prior_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/prior.hpp"

namespace salvo::formats {

using model::PriorLaw;
using model::StartLaw;

int count_of_numbers(PriorLaw law) {
  return law == PriorLaw::exponential || law == PriorLaw::chisquare || law == PriorLaw::rayleigh ? 1 : 2;
}

bool has_ends(PriorLaw law) { return law == PriorLaw::uniform || law == PriorLaw::log_uniform; }

std::string trouble_with(PriorLaw law, std::span<const double> numbers) {
  if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); }))
    return "the numbers of a prior must be finite";
  if (static_cast<int>(numbers.size()) != count_of_numbers(law))
    return fmt::format("a prior '{}' takes {}", model::to_string(law),
                       count_of_numbers(law) == 1 ? "one number" : "two numbers");
  if (has_ends(law) && !(numbers.front() < numbers.back())) return "the ends of a uniform prior must be in order";
  if (law == PriorLaw::log_uniform && !(numbers.front() > 0)) return "the ends of a log-uniform prior must be positive";
  if (law == PriorLaw::gamma && !(numbers.front() > 0)) return "the shape of a gamma prior must be positive";
  if (!has_ends(law) && !(numbers.back() > 0)) return "the width of a prior must be positive";
  return {};
}

model::Prior make_prior(PriorLaw law, std::span<const double> numbers) {
  return {.law = law, .location = numbers.size() > 1 ? numbers.front() : 0, .spread = numbers.back()};
}

bool cut_at_bounds(model::Prior& prior, const model::Estimated& estimated) {
  const auto on_its_scale = [&](double bound) {
    return prior.on_scale ? model::to_scale(estimated.scale, bound) : bound;
  };
  const double lower = on_its_scale(estimated.lower);
  const double upper = on_its_scale(estimated.upper);
  if (has_ends(prior.law)) {
    prior.location = std::max(prior.location, lower);
    prior.spread = std::min(prior.spread, upper);
    return prior.location < prior.spread;
  }
  prior.log_mass = model::log_mass_between(prior, lower, upper);
  return std::isfinite(prior.log_mass);
}

void keep_within(const model::Prior& prior, model::Estimated& estimated) {
  if (!has_ends(prior.law)) return;
  const auto value = [&](double end) { return prior.on_scale ? model::from_scale(estimated.scale, end) : end; };
  estimated.lower = std::max(estimated.lower, value(prior.location));
  estimated.upper = std::min(estimated.upper, value(prior.spread));
}

std::optional<StartLaw> start_law(const model::Prior& prior) {
  StartLaw start{.a = prior.location, .b = prior.spread, .on_scale = prior.on_scale};
  switch (prior.law) {
    case PriorLaw::uniform: return start;
    case PriorLaw::normal:
    case PriorLaw::log_normal: start.shape = StartLaw::Shape::normal; break;
    case PriorLaw::laplace:
    case PriorLaw::log_laplace: start.shape = StartLaw::Shape::laplace; break;
    default: return std::nullopt;
  }
  start.of_logarithm = prior.law == PriorLaw::log_normal || prior.law == PriorLaw::log_laplace;
  return start;
}

}  // namespace salvo::formats
