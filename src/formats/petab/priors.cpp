#include "formats/petab/priors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "base/words.hpp"
#include "formats/petab/words.hpp"
#include "formats/prior_law.hpp"

namespace salvo::formats::petab {
namespace {

using model::PriorLaw;

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

// What is wrong with the numbers of a cell, in words; empty if nothing is.
std::string trouble_with_cell(PriorLaw law, const std::optional<std::vector<double>>& numbers) {
  if (numbers && static_cast<int>(numbers->size()) == count_of_numbers(law)) return trouble_with(law, *numbers);
  return fmt::format("a prior '{}' takes {}, separated by ';'", model::to_string(law),
                     count_of_numbers(law) == 1 ? "one number" : "two numbers");
}

std::pair<double, double> bounds_on_scale(const model::Estimated& estimated) {
  return {model::to_scale(estimated.scale, estimated.lower), model::to_scale(estimated.scale, estimated.upper)};
}

}  // namespace

PriorRead read_objective_prior(const std::string& type, const std::string& numbers, const model::Estimated& estimated) {
  const LawOfVersionOne* law = find_law(type);
  if (law == nullptr) return {.trouble = unknown_law_of_version_one(type)};
  if (numbers.empty() && law->on_scale && law->law == PriorLaw::uniform) {
    model::Prior prior{.law = law->law, .on_scale = true};
    std::tie(prior.location, prior.spread) = bounds_on_scale(estimated);
    if (!std::isfinite(prior.location) || !std::isfinite(prior.spread)) return {.trouble = "the prior has no numbers"};
    return {.prior = prior};
  }
  const auto read = numbers_of(numbers);
  if (std::string trouble = trouble_with_cell(law->law, read); !trouble.empty()) return {.trouble = std::move(trouble)};
  model::Prior prior = make_prior(law->law, *read);
  prior.on_scale = law->on_scale;
  return {.prior = prior};
}

PriorRead read_prior(const std::string& type, const std::string& numbers, const model::Estimated& estimated) {
  const auto law = model::from_name<PriorLaw>(type);
  if (!law) return {.trouble = unknown_law(type, model::known_names<PriorLaw>())};
  const auto read = numbers_of(numbers);
  if (std::string trouble = trouble_with_cell(*law, read); !trouble.empty()) return {.trouble = std::move(trouble)};
  model::Prior prior = make_prior(*law, *read);
  if (!cut_at_bounds(prior, estimated)) return {.trouble = "the prior has nothing between the bounds"};
  return {.prior = prior};
}

StartRead read_initialization_prior(const std::string& type, const std::string& numbers) {
  const LawOfVersionOne* law = find_law(type);
  if (law == nullptr) return {.trouble = unknown_law_of_version_one(type)};
  if (numbers.empty() && law->on_scale && law->law == PriorLaw::uniform) return {};
  const auto read = numbers_of(numbers);
  if (std::string trouble = trouble_with_cell(law->law, read); !trouble.empty()) return {.trouble = std::move(trouble)};
  model::Prior prior = make_prior(law->law, *read);
  prior.on_scale = law->on_scale;
  return {.law = start_law(prior)};
}

}  // namespace salvo::formats::petab
