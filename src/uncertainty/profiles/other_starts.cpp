#include "uncertainty/profiles/other_starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "estimate/quantities.hpp"

namespace salvo::uncertainty {
namespace {

constexpr double far_out = 100;           // from its guess, as a factor: it has run away
constexpr double may_suffer = 0.5;        // of log-likelihood, by which the fit may suffer on the way back
constexpr int halvings = 12;              // of that way
constexpr double half_way = 0.5;          // back without suffering: nothing is seen where it stands
constexpr std::size_t most_stranded = 3;  // that are brought back, each alone
constexpr double nearly_zero = 1e-12;     // of the guess, where a way by factors can begin
constexpr double beyond_by = 10;          // from the optimum, as a factor, on the other side of zero or infinity

// At a share of the way from an answer to its guess: by factors where it is a value, with the sign of the guess.
double on_way(double at, double guess, bool is_value, double share) {
  if (!is_value) return at + share * (guess - at);
  const double from = std::max(std::abs(at), nearly_zero * std::abs(guess));
  return std::copysign(from * std::pow(std::abs(guess) / from, share), guess);
}

}  // namespace

std::vector<double> given_guesses(const estimate::Workspace& workspace, const shooting::ShootingProblem& shooting) {
  std::vector<double> out;
  const model::Problem& given = workspace.as_given();
  const auto as_given = [&](const estimate::Quantity& quantity) -> const model::Estimated* {
    if (quantity.state < 0)
      for (const model::Parameter& parameter : given.parameters)
        if (parameter.id == quantity.name) return std::get_if<model::Estimated>(&parameter.value);
    for (const model::Experiment& experiment : given.experiments)
      if (quantity.state >= 0 && experiment.id == quantity.experiment)
        return std::get_if<model::Estimated>(&experiment.initial[quantity.state]);
    return nullptr;
  };
  for (const estimate::Quantity& quantity : estimate::quantities(shooting)) {
    const model::Estimated* estimated = as_given(quantity);
    const auto guess = estimated != nullptr && estimated->guess ? estimated->guess : quantity.estimated->guess;
    out.push_back(guess ? model::to_scale(quantity.estimated->scale, *guess)
                        : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

OtherStarts::OtherStarts(const shooting::ShootingProblem& shooting, const nlp::Point& optimum, double objective,
                         const nlp::Request& request, const std::vector<double>& guesses)
    : optimum_(optimum), are_values_(optimum.size(), false) {
  const nlp::Layout& layout = shooting.layout();
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int k = all[i].unknown;
    const bool is_value = all[i].estimated->scale == model::Scale::lin;
    are_values_[k] = is_value && layout.lower[k] < 0 && layout.upper[k] > 0;
    const double guess = guesses[i];
    if (!std::isfinite(guess) || (is_value && guess == 0) || stranded_.size() == most_stranded) continue;
    const double at = optimum[k];
    const double factor =
        is_value ? std::abs(at / guess)
                 : model::from_scale(all[i].estimated->scale, at) / model::from_scale(all[i].estimated->scale, guess);
    if (factor < far_out && factor * far_out > 1) continue;
    double good = 0;
    double bad = 1;
    for (int n = 0; n < halvings && good < 1; ++n) {
      const double share = n == 0 ? 1 : 0.5 * (good + bad);
      nlp::Point q = optimum;
      q[k] = std::clamp(on_way(at, guess, is_value, share), layout.lower[k], layout.upper[k]);
      nlp::Blocks blocks;
      const bool is_good = shooting.values(q, request, blocks).ok && blocks.objective <= objective + may_suffer;
      (is_good ? good : bad) = share;
    }
    if (good >= half_way) {
      for (const double powers : {1., 2., 0.}) {
        const double by = is_value
                              ? std::pow(10, factor > 1 ? powers : -powers)
                              : model::to_scale(all[i].estimated->scale, std::pow(10, factor > 1 ? powers : -powers));
        near_guess_.push_back({k, std::clamp(is_value ? guess * by : guess + by, layout.lower[k], layout.upper[k])});
      }
    }
    if (good > 0)
      stranded_.push_back({k, at, std::clamp(on_way(at, guess, is_value, good), layout.lower[k], layout.upper[k])});
  }
}

bool OtherStarts::is_stranded(const Stranded& each, double value) const {
  if (!are_values_[each.unknown]) return std::abs(value - each.at) < 0.5 * std::abs(each.back - each.at);
  const bool is_small = std::abs(each.at) < std::abs(each.back);
  const double between = std::sqrt(std::abs(each.at * each.back));
  return is_small ? std::abs(value) <= between : std::abs(value) >= between;
}

// What has run away from the optimum along the path, to infinity or to zero, comes back with the other sign.
nlp::Point OtherStarts::beyond(const nlp::Point& q, int held) const {
  nlp::Point out = q;
  bool has_run = false;
  for (std::size_t k = 0; k < q.size(); ++k) {
    if (!are_values_[k] || static_cast<int>(k) == held || optimum_[k] == 0) continue;
    const double factor = std::abs(q[k] / optimum_[k]);
    if (factor < far_out && factor * far_out > 1) continue;
    out[k] = -std::copysign(std::abs(optimum_[k]) * (factor > 1 ? beyond_by : 1 / beyond_by), q[k]);
    has_run = true;
  }
  return has_run ? out : nlp::Point{};
}

std::vector<nlp::Point> OtherStarts::beside(const nlp::Point& q, int held) const {
  std::vector<nlp::Point> starts;
  if (q.size() != optimum_.size()) return starts;
  for (const Stranded& each : stranded_) {
    if (each.unknown == held || !is_stranded(each, q[each.unknown])) continue;
    starts.push_back(q);
    starts.back()[each.unknown] = each.back;
  }
  if (nlp::Point other = beyond(q, held); !other.empty()) starts.push_back(std::move(other));
  return starts;
}

}  // namespace salvo::uncertainty
