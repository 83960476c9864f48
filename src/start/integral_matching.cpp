#include "start/integral_matching.hpp"

#include <algorithm>
#include <cmath>

#include "start/levenberg_marquardt.hpp"
#include "start/matching_rows.hpp"

namespace salvo::start {
namespace {

std::vector<double> one_vector(const SharedUnknowns& unknowns) {
  std::vector<double> z = unknowns.theta;
  for (const auto& block : unknowns.v0) z.insert(z.end(), block.begin(), block.end());
  return z;
}

class Matching {
 public:
  Matching(const shooting::ShootingProblem& shooting, const std::vector<ObservedStates>& observed, const Rules& rules)
      : shooting_(shooting), observed_(observed), rules_(rules), rows_(shooting, observed, rules) {
    for (int k = 0; k < shooting.layout().thetas; ++k) {
      const model::Estimated& estimated = shooting::estimated_theta(shooting.problem(), shooting.names(), k);
      by_logarithm_.push_back(estimated.scale == model::Scale::lin && estimated.lower > 0 &&
                              estimated.upper > rules.matching.log_range * estimated.lower);
    }
    is_linear_ =
        rows_.are_linear() && std::find(by_logarithm_.begin(), by_logarithm_.end(), true) == by_logarithm_.end();
    iterations_left_ = rules.matching.most_operations / rows_.operations();
  }

  std::optional<Matched> match(const SharedUnknowns& guess, const std::optional<Matched>& before);

 private:
  bool rows_at(const std::vector<double>& z, bool derivatives, NormalEquations& out);
  ReducedFit fit_from(std::vector<double> unknowns);
  ReducedFit best_fit(const SharedUnknowns& guess, const std::optional<Matched>& before);
  Matched matched_at(const std::vector<double>& unknowns) const;
  std::vector<double> scaled(const std::vector<double>& unknowns, double factor) const;
  // z and theta differ in the parameters that are positive over decades: these are moved by their logarithms, or a long
  // step throws them onto a bound from which nothing brings them back.
  std::vector<double> to_z(std::vector<double> unknowns) const;
  void from_z(const std::vector<double>& z, std::vector<double>& unknowns) const;

  const shooting::ShootingProblem& shooting_;
  const std::vector<ObservedStates>& observed_;
  Rules rules_;
  MatchingRows rows_;
  std::vector<bool> by_logarithm_;  // per theta
  bool is_linear_ = false;          // by z: normal equations are known everywhere once they are somewhere
  NormalEquations known_;           // at known_at_, with the weights of now
  std::vector<double> known_at_;
  std::vector<double> unknowns_now_;  // of the evaluation under way
  double iterations_left_ = 0;
};

std::vector<double> Matching::to_z(std::vector<double> unknowns) const {
  for (std::size_t k = 0; k < by_logarithm_.size(); ++k)
    if (by_logarithm_[k]) unknowns[k] = std::log(unknowns[k]);
  return unknowns;
}

void Matching::from_z(const std::vector<double>& z, std::vector<double>& unknowns) const {
  unknowns = z;
  for (std::size_t k = 0; k < by_logarithm_.size(); ++k)
    if (by_logarithm_[k]) unknowns[k] = std::exp(z[k]);
}

bool Matching::rows_at(const std::vector<double>& z, bool derivatives, NormalEquations& out) {
  if (is_linear_ && !known_at_.empty()) {
    out.move(known_, known_at_, z);
    return true;
  }
  from_z(z, unknowns_now_);
  if (!rows_.evaluate(unknowns_now_, derivatives, out)) return false;
  for (std::size_t k = 0; k < by_logarithm_.size() && derivatives; ++k)
    if (by_logarithm_[k]) out.change_unknown(static_cast<int>(k), unknowns_now_[k]);
  if (is_linear_) known_ = out, known_at_ = z;
  return true;
}

// The unknowns of the result are not z.
ReducedFit Matching::fit_from(std::vector<double> unknowns) {
  const nlp::Layout& layout = shooting_.layout();
  std::vector<double> lower = to_z({layout.lower.begin(), layout.lower.begin() + layout.thetas});
  std::vector<double> upper = to_z({layout.upper.begin(), layout.upper.begin() + layout.thetas});
  lower.resize(rows_.unknowns(), -HUGE_VAL);
  upper.resize(rows_.unknowns(), HUGE_VAL);
  LeastSquaresRules rules = rules_.least_squares;
  rules.iterations = static_cast<int>(std::min<double>(rules.iterations, iterations_left_));
  const RowsAt rows = [this](const std::vector<double>& at, bool derivatives, NormalEquations& out) {
    return rows_at(at, derivatives, out);
  };
  ReducedFit fit = levenberg_marquardt(rows, to_z(std::move(unknowns)), lower, upper, rules);
  from_z(std::vector<double>(fit.z), fit.z);
  iterations_left_ -= fit.iterations;
  return fit;
}

// The magnitudes of all parameters times a factor, in user units.
std::vector<double> Matching::scaled(const std::vector<double>& z, double factor) const {
  std::vector<double> out = z;
  for (std::size_t k = 0; k < shooting_.names().parameter.size(); ++k) {
    const model::Scale scale =
        shooting::estimated_theta(shooting_.problem(), shooting_.names(), static_cast<int>(k)).scale;
    out[k] = model::to_scale(scale, factor * std::abs(model::from_scale(scale, z[k])));
    out[k] = std::clamp(out[k], shooting_.layout().lower[k], shooting_.layout().upper[k]);
  }
  return out;
}

// From an earlier match, or from guess to guess until one leads to a good match. Where all is linear, all lead to the
// same.
ReducedFit Matching::best_fit(const SharedUnknowns& guess, const std::optional<Matched>& before) {
  if (before)
    if (ReducedFit fit = fit_from(one_vector(before->unknowns)); fit.ok) return fit;
  const auto is_good = [good_match = rules_.matching.good_match](const ReducedFit& fit) {
    return fit.ok && 2 * fit.at_z.half_squares <= good_match * good_match * fit.at_z.rows;
  };
  ReducedFit best;
  std::vector<double> tried;
  const auto try_from = [&](std::vector<double> unknowns) {
    if (is_good(best) || (best.ok && (is_linear_ || unknowns == tried))) return;
    tried = unknowns;
    ReducedFit other = fit_from(std::move(unknowns));
    if (other.ok && (!best.ok || other.at_z.half_squares < rules_.matching.much_better * best.at_z.half_squares))
      best = std::move(other);
  };
  try_from(one_vector(guess));
  const double apart = rules_.matching.guess_factor;
  for (const double factor : {1.0, 1 / apart, apart, 1 / (apart * apart)}) try_from(scaled(one_vector(guess), factor));
  return best;
}

std::optional<Matched> Matching::match(const SharedUnknowns& guess, const std::optional<Matched>& before) {
  if (iterations_left_ < rules_.least_squares.iterations) return std::nullopt;
  ReducedFit best = best_fit(guess, before);
  if (!best.ok) return std::nullopt;
  NormalEquations at_best;
  rows_.evaluate(best.z, false, at_best);
  if (rows_.weigh_by_residuals()) {
    known_at_.clear();
    best = fit_from(std::move(best.z));
    if (!best.ok) return std::nullopt;
  }
  const std::vector<double> unseen = one_vector(guess);
  for (int k = 0; k < rows_.unknowns(); ++k)
    if (!(best.at_z.normal(k, k) > 0)) best.z[k] = unseen[k];
  return matched_at(best.z);
}

Matched Matching::matched_at(const std::vector<double>& unknowns) const {
  Matched matched;
  const nlp::Layout& layout = shooting_.layout();
  matched.unknowns.theta.assign(unknowns.begin(), unknowns.begin() + layout.thetas);
  for (int c = 0; c < static_cast<int>(observed_.size()); ++c) {
    const auto v0 = unknowns.begin() + rows_.first_of_chain(c);
    matched.unknowns.v0.emplace_back(v0, v0 + layout.chains[c].size[0]);
  }
  const auto& states = shooting_.problem().states;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (std::any_of(observed_.begin(), observed_.end(),
                    [i](const ObservedStates& experiment) { return experiment.states[i].curve.has_value(); }))
      matched.states.push_back(states[i].id);
  return matched;
}

}  // namespace

std::optional<Matched> match_integrals(const shooting::ShootingProblem& shooting,
                                       const std::vector<ObservedStates>& observed, const SharedUnknowns& guess,
                                       const std::optional<Matched>& before, const Rules& rules) {
  if (shooting.layout().thetas == 0 || !shooting.model().has_jacobian) return std::nullopt;
  return Matching(shooting, observed, rules).match(guess, before);
}

}  // namespace salvo::start
