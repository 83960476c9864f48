#include "start/matching_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/prior.hpp"
#include "shooting/rows.hpp"
#include "start/affine.hpp"
#include "start/slopes_by_row.hpp"

namespace salvo::start {
namespace {

const double one_sigma = 1;  // over which corners of noise laws are rounded: the unit of residuals

int count_simulated(const ObservedStates& observed) {
  return static_cast<int>(std::count_if(observed.states.begin(), observed.states.end(),
                                        [](const ObservedState& state) { return !state.curve || state.coarse; }));
}

int all_unknowns(const nlp::Layout& layout) {
  int sum = layout.thetas;
  for (const nlp::Layout::Chain& chain : layout.chains) sum += chain.size[0];
  return sum;
}

}  // namespace

MatchingRows::MatchingRows(const shooting::ShootingProblem& shooting, const std::vector<ObservedStates>& observed,
                           const Rules& rules)
    : shooting_(shooting),
      problem_(shooting.problem()),
      observed_(observed),
      rules_(rules),
      unknowns_(all_unknowns(shooting.layout())),
      inflation_(shooting.model().states, 1.0),
      row_(unknowns_) {
  int first = shooting.layout().thetas;
  for (int c = 0; c < static_cast<int>(observed.size()); ++c) {
    chains_.push_back(make_chain(c));
    chains_.back().first = first;
    first += shooting.layout().chains[c].size[0];
  }
}

MatchingRows::Chain MatchingRows::make_chain(int c) const {
  const shooting::Grid& grid = shooting_.grids()[c];
  const ObservedStates& observed = observed_[c];
  Chain chain{.pieces = matching_pieces(problem_, observed, grid.tau.front(), grid.tau.back(), rules_.matching)};
  const MatchingPieces& pieces = chain.pieces;
  double a = pieces.stops.front();
  for (int m = 0; m < static_cast<int>(pieces.ends.size()); ++m) {
    const double b = pieces.stops[pieces.ends[m]];
    for (int i = 0; i < shooting_.model().states; ++i) {
      const ObservedState& state = observed.states[i];
      if (!state.curve || a < state.curve->time.front() || b > state.curve->time.back()) continue;
      chain.increments.push_back({m, i, state.at(b) - state.at(a), increment_error(state, a, b, rules_)});
    }
    a = b;
  }
  if (count_simulated(observed) == 0)
    chain.integrals.emplace(shooting_.model(), observed, pieces);
  else
    chain.driven.emplace(shooting_.model(), observed, pieces.stops, pieces.ends, rules_.matching);
  return chain;
}

double MatchingRows::operations() const {
  const compile::CompiledModel& model = shooting_.model();
  double total = std::pow(1.0 * unknowns_, 3) / 3;
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const Chain& chain = chains_[c];
    const double columns = chain.driven ? unknowns_ : 0;
    const double entries = chain.driven ? unknowns_ : 1.0 * model.f_p.size() / model.states;
    if (entries > rules_.matching.most_row_entries) return std::numeric_limits<double>::infinity();
    const double stage =
        model.rhs.instruction_count() + model.jacobian.instruction_count() + 2 * model.f_x.size() * columns;
    const double stages = chain.driven ? 4.0 * static_cast<double>(chain.driven->steps()) : chain.integrals->points();
    const double rows = static_cast<double>(chain.increments.size() + observed_[c].left_over.size());
    total += stages * stage + rows * entries * entries / 2;
  }
  return total;
}

bool MatchingRows::are_linear() const {
  const shooting::UnknownNames& names = shooting_.names();
  for (int k = 0; k < shooting_.layout().thetas; ++k) {
    const model::Estimated& estimated = shooting::estimated_theta(problem_, names, k);
    if (estimated.scale != model::Scale::lin || estimated.prior) return false;
  }
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const auto& kernel = shooting_.model().experiments[shooting_.grids()[c].experiment].value;
    if (!chains_[c].integrals || !chains_[c].integrals->is_affine() || !observed_[c].left_over.empty() ||
        !is_affine(kernel.tape().listing(), shooting_.model().parameters, static_cast<int>(names.parameter.size())))
      return false;
  }
  return true;
}

// A row by (theta, v_0 of its chain) becomes one by all unknowns.
int MatchingRows::column(int c, int local) const {
  const int thetas = shooting_.layout().thetas;
  return local < thetas ? local : chains_[c].first + local - thetas;
}

void MatchingRows::finish(double r, bool derivatives, NormalEquations& out) {
  if (!derivatives) return out.add(r);
  out.add(r, row_);
  row_.clear();
}

bool MatchingRows::evaluate(const std::vector<double>& unknowns, bool derivatives, NormalEquations& out) {
  if (shooting_.is_stopped()) return false;
  out.clear(unknowns_, derivatives);
  squares_.assign(shooting_.model().states, 0.0);
  counts_.assign(shooting_.model().states, 0.0);
  for (int c = 0; c < static_cast<int>(chains_.size()); ++c) {
    const shooting::ExperimentValues values =
        shooting_.values_of(c, unknowns.data(), unknowns.data() + chains_[c].first, derivatives);
    const bool exist = chains_[c].integrals ? rows_along_curves(c, values, derivatives, out)
                                            : rows_of_driven(c, values, derivatives, out);
    row_.clear();
    if (!exist) return false;
  }
  prior_rows(unknowns, derivatives, out);
  return std::isfinite(out.half_squares);
}

// (x~(b) - x~(a) - ∫ f dt) / e
double MatchingRows::weighted_residual(const Increment& increment, double integral) {
  const double r = (increment.shown - integral) / increment.error;
  squares_[increment.state] += r * r;
  counts_[increment.state] += 1;
  return r / inflation_[increment.state];
}

bool MatchingRows::rows_along_curves(int c, const shooting::ExperimentValues& values, bool derivatives,
                                     NormalEquations& out) {
  Chain& chain = chains_[c];
  if (!chain.integrals->evaluate(values.p, derivatives)) return false;
  const compile::Lines& nonzeros = shooting_.model().parameter_rows;
  const SlopesByRow p_by_theta(values.p_by_theta, shooting_.model().active);
  for (const Increment& increment : chain.increments) {
    const int i = increment.state;
    const double r = weighted_residual(increment, chain.integrals->of_piece(increment.piece)[i]);
    const double factor = -1 / (increment.error * inflation_[i]);
    for (int n = nonzeros.start[i]; n < nonzeros.start[i + 1] && derivatives; ++n) {
      const double by_parameter = factor * chain.integrals->by_parameter(increment.piece)[nonzeros.place[n]];
      for (const shooting::Slope& slope : p_by_theta.of(nonzeros.across[n]))
        row_.add(slope.column, by_parameter * slope.value);
    }
    finish(r, derivatives, out);
  }
  const TangentPattern given;
  for (int stop = 0; stop < static_cast<int>(chain.pieces.stops.size()); ++stop) {
    if (chain.pieces.measured_at[stop].empty()) continue;
    std::vector<double> x;
    for (const ObservedState& state : observed_[c].states) x.push_back(state.at(chain.pieces.stops[stop]));
    if (!data_rows(c, {.stop = stop, .x = x, .pattern = given}, values, derivatives, out)) return false;
  }
  return true;
}

bool MatchingRows::rows_of_driven(int c, const shooting::ExperimentValues& values, bool derivatives,
                                  NormalEquations& out) {
  const Chain& chain = chains_[c];
  const int thetas = shooting_.layout().thetas;
  std::vector<double> sum(shooting_.model().states, 0.0);
  std::vector<double> tangent;
  int piece = 0;
  auto increment = chain.increments.begin();
  bool readable = true;
  const auto visit = [&](const DrivenStates::At& at) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += at.increments[i];
    tangent.resize(at.increment_tangent.size());
    for (std::size_t e = 0; e < tangent.size(); ++e) tangent[e] += at.increment_tangent[e];
    readable = readable && data_rows(c, at, values, derivatives, out);
    if (piece >= static_cast<int>(chain.pieces.ends.size()) || chain.pieces.ends[piece] != at.stop) return;
    for (; increment != chain.increments.end() && increment->piece == piece; ++increment) {
      const int i = increment->state;
      const double r = weighted_residual(*increment, sum[i]);
      const double factor = -1 / (increment->error * inflation_[i]);
      for (int e = at.pattern.start[i]; derivatives && e < at.pattern.start[i + 1]; ++e)
        row_.add(column(c, at.pattern.column[e]), factor * tangent[e]);
      finish(r, derivatives, out);
    }
    ++piece;
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(tangent.begin(), tangent.end(), 0.0);
  };
  return chain.driven->run(values, thetas, thetas + shooting_.layout().chains[c].size[0], derivatives, visit) &&
         readable;
}

// Measurements that made no curve are compared with the states.
bool MatchingRows::data_rows(int c, const DrivenStates::At& at, const shooting::ExperimentValues& values,
                             bool derivatives, NormalEquations& out) {
  shooting::Observer observer(problem_, shooting_.model(), {.smoothing = one_sigma});
  for (const int i : chains_[c].pieces.measured_at[at.stop]) {
    const shooting::Observed seen = observer.observe(i, at.x.data(), values.p.data(), derivatives);
    if (!seen.row.ok || !std::isfinite(seen.row.r_g)) return false;
    const compile::ObservableKernel& kernel = shooting_.model().observable_of(problem_.measurements[i]);
    const double weight = seen.row.weight_g;
    for (int n = 0; n < kernel.by_state.size() && !at.tangent.empty(); ++n) {
      const int state = kernel.by_state.column[n];
      for (int e = at.pattern.start[state]; kernel.by_state.row[n] == 0 && e < at.pattern.start[state + 1]; ++e)
        row_.add(column(c, at.pattern.column[e]), weight * seen.by_state[n] * at.tangent[e]);
    }
    for (int n = 0; n < kernel.by_parameter.size() && derivatives; ++n)
      for (const shooting::Slope& slope : values.p_by_theta)
        if (kernel.by_parameter.row[n] == 0 && slope.row == kernel.by_parameter.column[n])
          row_.add(slope.column, weight * seen.by_parameter[n] * slope.value);
    finish(seen.row.r_g, derivatives, out);
  }
  return true;
}

void MatchingRows::prior_rows(const std::vector<double>& unknowns, bool derivatives, NormalEquations& out) {
  for (int k = 0; k < shooting_.layout().thetas; ++k) {
    const model::Estimated& estimated = shooting::estimated_theta(problem_, shooting_.names(), k);
    if (!estimated.prior) continue;
    const model::PriorRow prior = model::prior_row(estimated, unknowns[k], one_sigma, model::RowsFor::step);
    if (derivatives) row_.add(k, prior.slope);
    finish(prior.r, derivatives, out);
  }
}

bool MatchingRows::weigh_by_residuals() {
  bool changed = false;
  for (std::size_t i = 0; i < inflation_.size(); ++i) {
    const double rms = counts_[i] > 0 ? std::sqrt(squares_[i] / counts_[i]) : 0;
    changed = changed || rms > rules_.matching.good_match;
    inflation_[i] = rms > rules_.matching.good_match ? rms : 1;
  }
  return changed;
}

}  // namespace salvo::start
