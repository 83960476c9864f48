#include "words/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "estimate/quantities.hpp"

namespace salvo::words {
namespace {

constexpr double faster = 1.5;  // times the motion between measurements that is told as faster oscillations

using Parameters = std::vector<std::pair<std::string, double>>;

// "alpha = 6.10": the quantity that differs most, relative to its size.
std::string most_different(const Parameters& own, const std::vector<double>& best) {
  std::size_t most = 0;
  double largest = -1;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const double size = std::max(std::abs(own[k].second), std::abs(best[k]));
    const double difference = size > 0 ? std::abs(own[k].second - best[k]) / size : 0;
    if (difference > largest) largest = difference, most = k;
  }
  return own.empty() ? "another point" : fmt::format("{} = {:.4g}", own[most].first, own[most].second);
}

std::string sentence_of(const estimate::OtherAnswer& other, const Parameters& own, const std::vector<double>& best,
                        double rise, double equal) {
  const std::string what = most_different(own, best);
  const std::string how_well = std::abs(rise) <= equal
                                   ? "fits as well"
                                   : fmt::format("fits nearly as well ({:.2g} less in log-likelihood)", rise);
  if (other.motion >= faster)
    return fmt::format("{} {}: its oscillations are faster than the sampling", what, how_well);
  if (!other.mirrored.empty() && std::abs(rise) <= equal)
    return fmt::format("{} {}: {}", what, how_well, other.mirrored);
  return fmt::format("{} {}: another minimum", what, how_well);
}

}  // namespace

std::vector<Alternative> alternatives(const estimate::Estimation& estimation, const FitResult& result) {
  const std::vector<estimate::Quantity> all = estimate::quantities(*estimation.best.shooting);
  const auto in_user_units = [&](const std::vector<double>& estimates) {
    Parameters out;
    for (std::size_t k = 0; k < all.size() && k < estimates.size(); ++k)
      out.push_back({all[k].id, model::from_scale(all[k].estimated->scale, estimates[k])});
    return out;
  };
  std::vector<double> best;
  for (const auto& [id, value] : in_user_units(estimation.best.answer.estimates)) best.push_back(value);
  std::vector<Alternative> out;
  for (const estimate::OtherAnswer& other : estimation.others) {
    Alternative told{.parameters = in_user_units(other.estimates), .objective = other.objective};
    told.sentence = sentence_of(other, told.parameters, best, other.objective - result.objective,
                                estimation.workspace->rules().answer.better);
    out.push_back(std::move(told));
  }
  return out;
}

}  // namespace salvo::words
