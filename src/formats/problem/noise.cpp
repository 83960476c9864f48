#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/words.hpp"
#include "formats/problem/sections.hpp"

namespace salvo::formats {
namespace {

using model::Distribution;
using model::Measurement;

bool needs_noise(const std::vector<Measurement>& measurements, int observable) {
  return std::any_of(measurements.begin(), measurements.end(),
                     [&](const Measurement& m) { return m.observable == observable && !m.sigma; });
}

// A fifth of how much the data vary: far from zero, and small enough to let the model explain something.
double guess_noise(const model::Problem& problem, int observable) {
  const Distribution law = problem.observables[static_cast<std::size_t>(observable)].distribution;
  const bool on_log = model::is_logarithmic(law);
  std::vector<double> values;
  for (const Measurement& m : problem.measurements)
    if (m.observable == observable) values.push_back(on_log ? std::log(m.value) : m.value);
  double mean = 0;
  double largest = 0;
  for (const double value : values) {
    mean += value / static_cast<double>(values.size());
    largest = std::max(largest, std::abs(value));
  }
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0;
  if (deviation > 0) return 0.2 * deviation;
  return largest > 0 ? 0.1 * largest : 1;
}

void estimate_noise(Draft& draft, int index, Place place) {
  model::Problem& problem = draft.problem;
  model::Observable& observable = problem.observables[static_cast<std::size_t>(index)];
  const std::string id = "noise_" + observable.id;
  if (draft.find(id) != nullptr) {
    draft.log.add(
        place,
        fmt::format("the noise of '{}' is stated nowhere, and the name '{}' is already taken", observable.id, id),
        fmt::format("write noise: {}, if that is meant", id));
    return;
  }
  const NodeId symbol = problem.graph.symbol(id);
  const model::Estimated sigma{.guess = guess_noise(problem, index), .scale = model::Scale::log};
  problem.parameters.push_back({.id = id, .symbol = symbol, .value = sigma});
  observable.noise = symbol;
}

}  // namespace

void complete_noise(Draft& draft, const yaml::Node& observables) {
  model::Problem& problem = draft.problem;
  std::vector<std::string> estimated;
  for (std::size_t i = 0; i < problem.observables.size(); ++i) {
    if (problem.observables[i].noise || model::is_count(problem.observables[i].distribution)) continue;
    const int index = static_cast<int>(i);
    const Place place = observables.entries[i].key.place;
    if (needs_noise(problem.measurements, index)) {
      estimate_noise(draft, index, place);
      estimated.push_back(problem.observables[i].id);
    } else if (needs_noise(problem.validation, index)) {
      draft.log.add(place,
                    fmt::format("the noise of '{}' is needed for its validation data, but is stated nowhere",
                                problem.observables[i].id),
                    "write its noise here, or in a column of the data");
    }
  }
  if (!estimated.empty()) problem.remarks.push_back(fmt::format("noise of {}: estimated", listed(estimated)));
}

}  // namespace salvo::formats
