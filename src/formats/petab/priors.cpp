#include "formats/petab/priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/words.hpp"
#include "formats/petab/words.hpp"
#include "model/prior.hpp"

namespace salvo::formats::petab {
namespace {

using model::PriorLaw;
using model::StartLaw;

struct LawOfVersionOne {
  const char* name;
  PriorLaw law;
  bool on_scale;
};
constexpr LawOfVersionOne version_one[] = {
    {"uniform", PriorLaw::uniform, false},
    {"normal", PriorLaw::normal, false},
    {"laplace", PriorLaw::laplace, false},
    {"logNormal", PriorLaw::log_normal, false},
    {"logLaplace", PriorLaw::log_laplace, false},
    {"parameterScaleUniform", PriorLaw::uniform, true},
    {"parameterScaleNormal", PriorLaw::normal, true},
    {"parameterScaleLaplace", PriorLaw::laplace, true},
};

const LawOfVersionOne* find_law(const std::string& type) {
  for (const LawOfVersionOne& law : version_one)
    if (type == law.name) return &law;
  return nullptr;
}

std::string unknown_law(const std::string& type, const std::vector<std::string>& known) {
  return fmt::format("unknown prior '{}' ({})", type.substr(0, 40), hint_for_unknown(type, known));
}

std::string unknown_law_of_version_one(const std::string& type) {
  std::vector<std::string> known;
  for (const LawOfVersionOne& law : version_one) known.emplace_back(law.name);
  return unknown_law(type, known);
}

// The numbers of "0;1".
std::optional<std::vector<double>> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& word : split(text)) {
    const std::optional<double> number = parse_number(word);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

bool has_ends(PriorLaw law) { return law == PriorLaw::uniform || law == PriorLaw::log_uniform; }

bool takes_one_number(PriorLaw law) {
  return law == PriorLaw::exponential || law == PriorLaw::chisquare || law == PriorLaw::rayleigh;
}

std::string trouble_with(PriorLaw law, const std::optional<std::vector<double>>& numbers) {
  const std::size_t count = takes_one_number(law) ? 1 : 2;
  if (!numbers || numbers->size() != count)
    return fmt::format("a prior '{}' takes {}, separated by ';'", model::to_string(law),
                       count == 1 ? "one number" : "two numbers");
  if (has_ends(law) && !(numbers->front() < numbers->back())) return "the ends of a uniform prior must be in order";
  if (law == PriorLaw::log_uniform && !(numbers->front() > 0))
    return "the ends of a log-uniform prior must be positive";
  if (law == PriorLaw::gamma && !(numbers->front() > 0)) return "the shape of a gamma prior must be positive";
  if (!has_ends(law) && !(numbers->back() > 0)) return "the width of a prior must be positive";
  return {};
}

std::pair<double, double> bounds_on_scale(const model::Estimated& estimated) {
  return {model::to_scale(estimated.scale, estimated.lower), model::to_scale(estimated.scale, estimated.upper)};
}

}  // namespace

PriorRead read_objective_prior(const std::string& type, const std::string& numbers, const model::Estimated& estimated) {
  const LawOfVersionOne* law = find_law(type);
  if (law == nullptr) return {.trouble = unknown_law_of_version_one(type)};
  model::Prior prior{.law = law->law, .on_scale = law->on_scale};
  if (numbers.empty() && law->on_scale && law->law == PriorLaw::uniform) {
    std::tie(prior.location, prior.spread) = bounds_on_scale(estimated);
    if (!std::isfinite(prior.location) || !std::isfinite(prior.spread)) return {.trouble = "the prior has no numbers"};
    return {.prior = prior};
  }
  const auto read = numbers_of(numbers);
  if (std::string trouble = trouble_with(law->law, read); !trouble.empty()) return {.trouble = std::move(trouble)};
  prior.location = read->front();
  prior.spread = read->back();
  return {.prior = prior};
}

PriorRead read_prior(const std::string& type, const std::string& numbers, const model::Estimated& estimated) {
  const auto law = model::from_name<PriorLaw>(type);
  if (!law) return {.trouble = unknown_law(type, model::known_names<PriorLaw>())};
  const auto read = numbers_of(numbers);
  if (std::string trouble = trouble_with(*law, read); !trouble.empty()) return {.trouble = std::move(trouble)};
  model::Prior prior{.law = *law, .location = read->size() > 1 ? read->front() : 0, .spread = read->back()};
  if (has_ends(*law)) {
    prior.location = std::max(prior.location, estimated.lower);
    prior.spread = std::min(prior.spread, estimated.upper);
    if (!(prior.location < prior.spread)) return {.trouble = "the prior has nothing between the bounds"};
    return {.prior = prior};
  }
  prior.log_mass = model::log_mass_between(prior, estimated.lower, estimated.upper);
  if (!std::isfinite(prior.log_mass)) return {.trouble = "the prior has nothing between the bounds"};
  return {.prior = prior};
}

StartRead read_initialization_prior(const std::string& type, const std::string& numbers) {
  const LawOfVersionOne* law = find_law(type);
  if (law == nullptr) return {.trouble = unknown_law_of_version_one(type)};
  if (numbers.empty() && law->on_scale && law->law == PriorLaw::uniform) return {};
  const auto read = numbers_of(numbers);
  if (std::string trouble = trouble_with(law->law, read); !trouble.empty()) return {.trouble = std::move(trouble)};
  StartLaw start{.a = read->front(), .b = read->back(), .on_scale = law->on_scale};
  start.of_logarithm = law->law == PriorLaw::log_normal || law->law == PriorLaw::log_laplace;
  if (law->law == PriorLaw::normal || law->law == PriorLaw::log_normal) start.shape = StartLaw::Shape::normal;
  if (law->law == PriorLaw::laplace || law->law == PriorLaw::log_laplace) start.shape = StartLaw::Shape::laplace;
  return {.law = start};
}

void keep_within(const model::Prior& prior, model::Estimated& estimated) {
  if (!has_ends(prior.law)) return;
  const auto value = [&](double end) { return prior.on_scale ? model::from_scale(estimated.scale, end) : end; };
  estimated.lower = std::max(estimated.lower, value(prior.location));
  estimated.upper = std::min(estimated.upper, value(prior.spread));
}

}  // namespace salvo::formats::petab
