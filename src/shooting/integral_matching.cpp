#include "shooting/integral_matching.hpp"

#include <algorithm>
#include <cmath>

#include "model/prior.hpp"
#include "shooting/driven_states.hpp"
#include "shooting/levenberg_marquardt.hpp"
#include "shooting/matching_pieces.hpp"
#include "shooting/rows.hpp"

namespace salvo::shooting {
namespace {

constexpr double most_operations = 2.5e9;
constexpr int fewest_iterations = 30;     // fewer are not worth the beginning
constexpr double most_row_entries = 200;  // more: a row costs too much
constexpr int most_iterations = 200;
constexpr int iterations_at_once = 40;
constexpr double decades = 1e3;
// Of the squares, for a later match to replace an earlier one. Data taken at equal distances fit as well to a motion
// with one more turn from each to the next; such a match is hardly better, and not wanted.
constexpr double much_better = 0.5;
constexpr double good_match = 1.5;  // rms residual, in standard errors

std::vector<double> one_vector(const SharedUnknowns& unknowns) {
  std::vector<double> z = unknowns.theta;
  for (const auto& block : unknowns.v0) z.insert(z.end(), block.begin(), block.end());
  return z;
}

class Matching {
 public:
  Matching(const ShootingProblem& shooting, const std::vector<ObservedStates>& observed)
      : shooting_(shooting), problem_(shooting.problem()), observed_(observed) {
    unknowns_ = shooting.layout().thetas;
    for (std::size_t c = 0; c < observed.size(); ++c) {
      const Grid& grid = shooting.grids()[c];
      pieces_.push_back(matching_pieces(problem_, observed[c], grid.tau.front(), grid.tau.back()));
      driven_.emplace_back(shooting.model(), observed[c], pieces_.back().stops, pieces_.back().ends);
      first_of_chain_.push_back(unknowns_);
      unknowns_ += shooting.layout().chains[c].size[0];
    }
    for (int k = 0; k < shooting.layout().thetas; ++k) {
      const model::Estimated& estimated = estimated_theta(problem_, shooting.names(), k);
      by_logarithm_.push_back(estimated.scale == model::Scale::lin && estimated.lower > 0 &&
                              estimated.upper > decades * estimated.lower);
    }
    inflation_.assign(shooting.model().states, 1.0);
    iterations_left_ = static_cast<int>(std::min<double>(most_iterations, most_operations / operations()));
  }

  std::optional<Matched> match(const std::vector<SharedUnknowns>& guesses);

 private:
  double operations() const;
  bool rows_at(const std::vector<double>& z, bool derivatives, NormalEquations& out);
  bool chain_rows(int c, bool derivatives, NormalEquations& out);
  bool data_rows(int c, const DrivenStates::At& at, const ExperimentValues& values, bool derivatives,
                 NormalEquations& out);
  void increment_rows(int c, int piece, bool derivatives, NormalEquations& out);
  void prior_rows(bool derivatives, NormalEquations& out) const;
  SmallFit fit_from(std::vector<double> z);
  bool weigh_by_residuals();
  std::vector<double> scaled(const std::vector<double>& z, double factor) const;
  // z and theta differ in the parameters that are positive over decades: these are moved by their logarithms, or a long
  // step throws them onto a bound from which nothing brings them back.
  std::vector<double> to_z(std::vector<double> unknowns) const;
  std::vector<double> from_z(std::vector<double> z) const;
  std::span<const double> slopes_of(int c, std::span<const double> local, double factor);

  const ShootingProblem& shooting_;
  const model::Problem& problem_;
  const std::vector<ObservedStates>& observed_;
  std::vector<MatchingPieces> pieces_;
  std::vector<DrivenStates> driven_;
  std::vector<int> first_of_chain_;   // place of each v_0 in z
  std::vector<bool> by_logarithm_;    // per theta
  std::vector<double> unknowns_now_;  // of the evaluation under way
  int unknowns_ = 0;
  int iterations_left_ = 0;
  std::vector<double> inflation_;                   // of the standard errors of each state's increments
  std::vector<double> squares_, counts_;            // of each state's residuals at the last evaluation
  std::vector<double> sum_, sum_tangent_, slopes_;  // of the piece under way
};

// Of one iteration: the driven run, the rows, the factorisation.
double Matching::operations() const {
  const compile::CompiledModel& model = shooting_.model();
  double total = std::pow(1.0 * unknowns_, 3) / 3;
  for (std::size_t c = 0; c < driven_.size(); ++c) {
    int hidden = 0;
    for (const ObservedState& state : observed_[c].states) hidden += state.curve && !state.coarse ? 0 : 1;
    const double columns = hidden > 0 ? unknowns_ : 0;
    const double entries = hidden > 0 ? unknowns_ : 1.0 * model.f_p.size() / model.states;
    if (entries > most_row_entries) return most_operations;
    const double stage =
        model.rhs.instruction_count() + model.jacobian.instruction_count() + 2 * model.f_x.size() * columns;
    const double rows = static_cast<double>(pieces_[c].ends.size()) * (model.states - hidden) +
                        static_cast<double>(observed_[c].left_over.size());
    total += 4.0 * static_cast<double>(driven_[c].steps()) * stage + rows * entries * entries / 2;
  }
  return total;
}

// A row by (theta, v_0 of its chain) becomes one by z.
std::span<const double> Matching::slopes_of(int c, std::span<const double> local, double factor) {
  slopes_.assign(unknowns_, 0.0);
  const int thetas = shooting_.layout().thetas;
  for (int k = 0; k < static_cast<int>(local.size()); ++k) {
    const bool logarithm = k < thetas && by_logarithm_[k];
    slopes_[k < thetas ? k : first_of_chain_[c] + k - thetas] = factor * local[k] * (logarithm ? unknowns_now_[k] : 1);
  }
  return slopes_;
}

std::vector<double> Matching::to_z(std::vector<double> unknowns) const {
  for (std::size_t k = 0; k < by_logarithm_.size(); ++k)
    if (by_logarithm_[k]) unknowns[k] = std::log(unknowns[k]);
  return unknowns;
}

std::vector<double> Matching::from_z(std::vector<double> z) const {
  for (std::size_t k = 0; k < by_logarithm_.size(); ++k)
    if (by_logarithm_[k]) z[k] = std::exp(z[k]);
  return z;
}

bool Matching::rows_at(const std::vector<double>& z, bool derivatives, NormalEquations& out) {
  out.clear(unknowns_, derivatives);
  unknowns_now_ = from_z(z);
  squares_.assign(shooting_.model().states, 0.0);
  counts_ = squares_;
  for (int c = 0; c < static_cast<int>(driven_.size()); ++c)
    if (!chain_rows(c, derivatives, out)) return false;
  prior_rows(derivatives, out);
  return std::isfinite(out.half_squares);
}

bool Matching::chain_rows(int c, bool derivatives, NormalEquations& out) {
  const int d = shooting_.model().states;
  const int thetas = shooting_.layout().thetas;
  const int local = thetas + shooting_.layout().chains[c].size[0];
  const ExperimentValues values =
      experiment_values(problem_, shooting_.model(), shooting_.names(), shooting_.grids()[c].experiment,
                        unknowns_now_.data(), unknowns_now_.data() + first_of_chain_[c], derivatives);
  sum_.assign(d, 0.0);
  sum_tangent_.assign(derivatives ? static_cast<std::size_t>(d) * local : 0, 0.0);
  int piece = 0;
  bool readable = true;
  const bool finite = driven_[c].run(values, thetas, local, derivatives, [&](const DrivenStates::At& at) {
    for (int i = 0; i < d; ++i) sum_[i] += at.increments[i];
    for (std::size_t n = 0; n < sum_tangent_.size(); ++n) sum_tangent_[n] += at.increment_tangent[n];
    readable = readable && data_rows(c, at, values, derivatives, out);
    if (piece >= static_cast<int>(pieces_[c].ends.size()) || pieces_[c].ends[piece] != at.stop) return;
    increment_rows(c, piece++, derivatives, out);
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(sum_tangent_.begin(), sum_tangent_.end(), 0.0);
  });
  return finite && readable;
}

// x~(b) - x~(a) = ∫ f dt over one piece, for each state with a curve that covers it.
void Matching::increment_rows(int c, int piece, bool derivatives, NormalEquations& out) {
  const auto& stops = pieces_[c].stops;
  const double a = piece == 0 ? stops.front() : stops[pieces_[c].ends[piece - 1]];
  const double b = stops[pieces_[c].ends[piece]];
  const std::size_t local = sum_tangent_.size() / sum_.size();
  for (int i = 0; i < static_cast<int>(sum_.size()); ++i) {
    const ObservedState& state = observed_[c].states[i];
    if (!state.curve || a < state.curve->time.front() || b > state.curve->time.back()) continue;
    const double error = increment_error(state, a, b);
    const double r = (state.at(b) - state.at(a) - sum_[i]) / error;
    squares_[i] += r * r;
    counts_[i] += 1;
    const double weight = 1 / inflation_[i];
    const std::span<const double> tangent(sum_tangent_.data() + i * local, local);
    out.add(weight * r, derivatives ? slopes_of(c, tangent, -weight / error) : std::span<const double>());
  }
}

// Measurements that made no curve are compared with the driven states.
bool Matching::data_rows(int c, const DrivenStates::At& at, const ExperimentValues& values, bool derivatives,
                         NormalEquations& out) {
  constexpr double rounded_corner = 1;
  Observer observer(problem_, shooting_.model(), rounded_corner, model::RowsFor::step);
  const std::size_t local = at.tangent.size() / at.x.size();
  std::vector<double> row;
  for (const int i : pieces_[c].measured_at[at.stop]) {
    const Observed seen = observer.observe(i, at.x.data(), values.p.data(), derivatives);
    if (!seen.row.ok || !std::isfinite(seen.row.r_g)) return false;
    if (!derivatives) {
      out.add(seen.row.r_g, {});
      continue;
    }
    const compile::ObservableKernel& kernel = shooting_.model().observables[problem_.measurements[i].observable];
    row.assign(local, 0.0);
    for (int n = 0; n < kernel.by_state.size(); ++n)
      for (std::size_t k = 0; k < local && kernel.by_state.row[n] == 0; ++k)
        row[k] += seen.by_state[n] * at.tangent[kernel.by_state.column[n] * local + k];
    for (int n = 0; n < kernel.by_parameter.size(); ++n)
      for (const Slope& slope : values.p_by_theta)
        if (kernel.by_parameter.row[n] == 0 && slope.row == kernel.by_parameter.column[n])
          row[slope.column] += seen.by_parameter[n] * slope.value;
    out.add(seen.row.r_g, slopes_of(c, row, seen.row.weight_g));
  }
  return true;
}

void Matching::prior_rows(bool derivatives, NormalEquations& out) const {
  std::vector<double> slopes(derivatives ? unknowns_ : 0, 0.0);
  for (int k = 0; k < shooting_.layout().thetas; ++k) {
    const model::Estimated& estimated = estimated_theta(problem_, shooting_.names(), k);
    if (!estimated.prior) continue;
    const model::PriorRow row = model::prior_row(estimated, unknowns_now_[k], 1, model::RowsFor::step);
    if (derivatives) slopes[k] = row.slope * (by_logarithm_[k] ? unknowns_now_[k] : 1);
    out.add(row.r, slopes);
    if (derivatives) slopes[k] = 0;
  }
}

SmallFit Matching::fit_from(std::vector<double> z) {
  std::vector<double> lower, upper;
  const nlp::Layout& layout = shooting_.layout();
  for (int k = 0; k < layout.thetas; ++k) lower.push_back(layout.lower[k]), upper.push_back(layout.upper[k]);
  lower = to_z(std::move(lower));
  upper = to_z(std::move(upper));
  lower.resize(unknowns_, -HUGE_VAL);
  upper.resize(unknowns_, HUGE_VAL);
  SmallFit fit = levenberg_marquardt([this](const std::vector<double>& at, bool derivatives,
                                            NormalEquations& out) { return rows_at(at, derivatives, out); },
                                     to_z(std::move(z)), lower, upper, std::min(iterations_at_once, iterations_left_));
  fit.z = from_z(std::move(fit.z));
  iterations_left_ -= fit.iterations;
  return fit;
}

// A state whose increments fit worse than the noise says has a poor curve, or a poor model: it must not drown the
// others. False if there is none.
bool Matching::weigh_by_residuals() {
  bool changed = false;
  for (std::size_t i = 0; i < inflation_.size(); ++i) {
    const double rms = counts_[i] > 0 ? std::sqrt(squares_[i] / counts_[i]) : 0;
    changed = changed || rms > good_match;
    inflation_[i] = rms > good_match ? rms : 1;
  }
  return changed;
}

// The magnitudes of all parameters times a factor, in user units.
std::vector<double> Matching::scaled(const std::vector<double>& z, double factor) const {
  std::vector<double> out = z;
  for (std::size_t k = 0; k < shooting_.names().parameter.size(); ++k) {
    const model::Scale scale = estimated_theta(problem_, shooting_.names(), static_cast<int>(k)).scale;
    out[k] = model::to_scale(scale, factor * std::abs(model::from_scale(scale, z[k])));
    out[k] = std::clamp(out[k], shooting_.layout().lower[k], shooting_.layout().upper[k]);
  }
  return out;
}

std::optional<Matched> Matching::match(const std::vector<SharedUnknowns>& guesses) {
  if (iterations_left_ < fewest_iterations) return std::nullopt;
  const auto is_good = [](const SmallFit& fit) {
    return fit.ok && 2 * fit.at_z.half_squares <= good_match * good_match * fit.at_z.rows;
  };
  SmallFit best;
  std::vector<double> tried;
  const auto try_from = [&](std::vector<double> z) {
    if (is_good(best) || (best.ok && z == tried)) return;
    tried = z;
    SmallFit other = fit_from(std::move(z));
    if (other.ok && (!best.ok || other.at_z.half_squares < much_better * best.at_z.half_squares))
      best = std::move(other);
  };
  const std::vector<double> z = one_vector(guesses.back());
  for (const SharedUnknowns& guess : guesses) try_from(one_vector(guess));
  for (const double factor : {1.0, 0.3, 3.0, 0.05}) try_from(scaled(z, factor));
  if (!best.ok) return std::nullopt;
  for (int round = 0; round < 2; ++round) {
    NormalEquations at_best;
    rows_at(to_z(best.z), false, at_best);
    if (!weigh_by_residuals()) break;
    best = fit_from(std::move(best.z));
  }

  Matched matched;
  for (int k = 0; k < unknowns_; ++k)
    if (!(best.at_z.normal(k, k) > 0)) best.z[k] = z[k];
  const auto from = best.z.begin();
  matched.unknowns.theta.assign(from, from + shooting_.layout().thetas);
  for (std::size_t c = 0; c < driven_.size(); ++c)
    matched.unknowns.v0.emplace_back(from + first_of_chain_[c],
                                     from + first_of_chain_[c] + shooting_.layout().chains[c].size[0]);
  for (std::size_t i = 0; i < problem_.states.size(); ++i)
    if (std::any_of(observed_.begin(), observed_.end(),
                    [i](const ObservedStates& experiment) { return experiment.states[i].curve.has_value(); }))
      matched.states.push_back(problem_.states[i].id);
  return matched;
}

}  // namespace

std::optional<Matched> match_integrals(const ShootingProblem& shooting, const std::vector<ObservedStates>& observed,
                                       const std::vector<SharedUnknowns>& guesses) {
  if (shooting.layout().thetas == 0 || !shooting.model().has_jacobian) return std::nullopt;
  return Matching(shooting, observed).match(guesses);
}

}  // namespace salvo::shooting
