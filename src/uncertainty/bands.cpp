#include "uncertainty/bands.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/distributions.hpp"
#include "model/noise.hpp"
#include "pictures/picture_times.hpp"
#include "shooting/nodes.hpp"
#include "solve/quadratic/spectrum.hpp"

namespace salvo::uncertainty {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr int pieces_of_an_experiment = 100;
constexpr int fewest_pieces = 20;
constexpr std::size_t usual_points = 1000;          // of a curve; one with more bends more
constexpr std::size_t most_bends = 2000;            // at which deviations are computed
constexpr int pieces_of_all_experiments = 200'000;  // together, where there are very many
constexpr double most_band_operations = 1e9;        // multiply-adds: about a second
constexpr Index most_quantities = 400;              // of one experiment

// How far from an event its two sides are looked at.
double next_to(double time) { return 1e-9 * std::max(std::abs(time), 1e-9); }

bool is_parted(const Arc& before, const Arc& after) {
  return before.experiment == after.experiment && before.interval == after.interval;
}

// When events part the arcs of each experiment.
std::vector<std::vector<double>> partings(const std::vector<Arc>& arcs, std::size_t experiments) {
  std::vector<std::vector<double>> times(experiments);
  for (std::size_t j = 1; j < arcs.size(); ++j)
    if (is_parted(arcs[j - 1], arcs[j])) times[arcs[j].experiment].push_back(arcs[j].time.front());
  return times;
}

// The nodes, so many times between them that a line through the deviations looks smooth, and both sides of events.
shooting::Grid refined(const shooting::Grid& grid, int pieces_wanted, const pictures::PictureTimes& times,
                       const std::vector<double>& events, const std::vector<double>& drawn) {
  const int pieces = std::max(1, pieces_wanted / std::max(grid.intervals(), 1));
  shooting::Grid fine{grid.experiment, {grid.tau.front()}};
  for (int j = 0; j < grid.intervals(); ++j) {
    const std::vector<double> between = times.between(grid.experiment, grid.tau[j], grid.tau[j + 1], pieces);
    fine.tau.insert(fine.tau.end(), between.begin() + 1, between.end());
  }
  // Every so many of the times at which the curve is drawn, where it bends.
  const std::size_t stride = drawn.size() / most_bends + 1;
  for (std::size_t k = 0; k < drawn.size(); k += stride)
    if (drawn[k] > grid.tau.front() && drawn[k] < grid.tau.back()) fine.tau.push_back(drawn[k]);
  for (const double time : events) {
    const auto is_end = [&](double node) { return node == grid.tau.front() || node == grid.tau.back(); };
    std::erase_if(fine.tau, [&](double node) { return std::abs(node - time) <= next_to(time) && !is_end(node); });
    for (const double side : {time - next_to(time), time + next_to(time)})
      if (side > grid.tau.front() && side < grid.tau.back()) fine.tau.push_back(side);
  }
  std::sort(fine.tau.begin(), fine.tau.end());
  fine.tau.erase(std::unique(fine.tau.begin(), fine.tau.end()), fine.tau.end());
  return fine;
}

MatrixXd to_eigen(const Matrix& matrix) {
  return Eigen::Map<const MatrixXd>(matrix.data.data(), matrix.rows, matrix.cols);
}

// Where theta and a chain's v_0, which begins at `first`, stand among the quantities.
std::vector<int> places_of(const nlp::Layout& layout, int chain, int first) {
  std::vector<int> places;
  for (int k = 0; k < layout.thetas; ++k) places.push_back(k);
  for (int k = 0; k < layout.chains[chain].size[0]; ++k) places.push_back(first + k);
  return places;
}

// R with R R' = the covariance of theta and this chain's v_0.
MatrixXd root_of_covariance(const std::vector<int>& places, const Matrix& covariance) {
  const auto n = static_cast<Index>(places.size());
  MatrixXd part(n, n);
  VectorXd size(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) part(i, j) = covariance(places[i], places[j]);
  // Correlations, so that quantities of all sizes keep their digits.
  for (Index i = 0; i < n; ++i) size[i] = part(i, i) > 0 ? std::sqrt(part(i, i)) : 1;
  part = size.cwiseInverse().asDiagonal() * part * size.cwiseInverse().asDiagonal();
  Matrix correlation(static_cast<int>(n), static_cast<int>(n));
  Eigen::Map<MatrixXd>(correlation.data.data(), n, n) = part;
  const solve::Spectrum spectrum = solve::spectrum_of(correlation);
  const Eigen::Map<const VectorXd> e(spectrum.e.data(), n);
  return size.asDiagonal() * to_eigen(spectrum.V) * e.cwiseMax(0).cwiseSqrt().asDiagonal();
}

// What the data cannot see, one direction in each column.
MatrixXd unseen(const std::vector<int>& places, const std::vector<std::vector<double>>& directions) {
  MatrixXd out(static_cast<Index>(places.size()), static_cast<Index>(directions.size()));
  for (Index k = 0; k < out.cols(); ++k)
    for (Index i = 0; i < out.rows(); ++i) out(i, k) = directions[k][places[i]];
  return out;
}

// What R moves along one chain: states node by node, and the parameters.
class MovedChain {
 public:
  MovedChain(const shooting::ShootingProblem& fine, const nlp::Blocks& blocks, const nlp::Point& q,
             const MatrixXd& root, int chain)
      : fine_(fine), blocks_(blocks.chains[chain]), q_(q), chain_(chain), values_(fine.values_of(chain, q, true)) {
    const Index thetas = fine.layout().thetas;
    by_theta_ = root.topRows(thetas);
    by_block_ = root.bottomRows(root.rows() - thetas);
    parameters_ = MatrixXd::Zero(fine.model().active, root.cols());
    for (const auto& slope : values_.p_by_theta)
      parameters_.row(slope.row) += slope.value * by_theta_.row(slope.column);
    state_ = MatrixXd::Zero(fine.model().states, root.cols());
    for (const auto& slope : values_.s0_by_theta) state_.row(slope.row) += slope.value * by_theta_.row(slope.column);
    for (const auto& slope : values_.s0_by_block) state_.row(slope.row) += slope.value * by_block_.row(slope.column);
  }

  // How far every observable moves at every node, observable x node: the standard deviation if R is a root.
  Matrix moves() {
    const int nodes = fine_.grids()[chain_].intervals() + 1;
    Matrix out(static_cast<int>(fine_.model().observables.size()), nodes);
    for (int j = 0; j < nodes; ++j) {
      for (int o = 0; o < out.rows; ++o) out(o, j) = move(o, j);
      if (j + 1 < nodes) advance(j);
    }
    return out;
  }

 private:
  void advance(int j) {
    const nlp::Link& link = blocks_.links[static_cast<std::size_t>(j)];
    const MatrixXd& block = j == 0 ? by_block_ : state_;
    state_ = (to_eigen(link.by_block) * block + to_eigen(link.by_theta) * by_theta_).eval();
  }
  double move(int observable, int j) const {
    const auto& kernel = fine_.model().observables[static_cast<std::size_t>(observable)];
    const std::vector<double> state = fine_.node_state(chain_, j, q_, values_);
    std::vector<double> work(static_cast<std::size_t>(fine_.model().largest_work()));
    std::vector<double> out(static_cast<std::size_t>(kernel.derivative.output_count()));
    std::vector<double> room;
    const double& t = fine_.grids()[chain_].tau[static_cast<std::size_t>(j)];
    const double* p = fine_.model().parameters_at(fine_.grids()[chain_].experiment, t, values_.p.data(), room);
    kernel.derivative.run<1>({.time = &t, .state = state.data(), .parameter = p}, work.data(), out.data());
    Eigen::RowVectorXd change = Eigen::RowVectorXd::Zero(state_.cols());
    const double* entry = out.data() + 2;
    for (int k = 0; k < kernel.by_state.size(); ++k, ++entry)
      if (kernel.by_state.row[k] == 0) change += *entry * state_.row(kernel.by_state.column[k]);
    for (int k = 0; k < kernel.by_parameter.size(); ++k, ++entry)
      if (kernel.by_parameter.row[k] == 0) change += *entry * parameters_.row(kernel.by_parameter.column[k]);
    return change.norm();
  }

  const shooting::ShootingProblem& fine_;
  const nlp::ChainBlocks& blocks_;
  const nlp::Point& q_;
  int chain_;
  shooting::ExperimentValues values_;
  MatrixXd by_theta_;
  MatrixXd by_block_;
  MatrixXd parameters_;
  MatrixXd state_;
};

bool is_affordable(const shooting::ShootingProblem& fine) {
  const double states = fine.model().states;
  double links = 0;
  Index quantities = 0;
  for (std::size_t c = 0; c < fine.grids().size(); ++c) {
    links += fine.grids()[c].intervals();
    quantities = std::max<Index>(quantities, fine.layout().thetas + fine.layout().chains[c].size[0]);
  }
  constexpr double stages_of_a_piece = 12;
  const double products = links * states * states * static_cast<double>(quantities);
  return quantities <= most_quantities &&
         products + fine.iteration_work(stages_of_a_piece * links) <= most_band_operations;
}

// The deviations at the times of an arc, on straight lines between those at the nodes; next to an event on its side.
void interpolate(const std::vector<double>& tau, const Matrix& deviation, const std::vector<double>& events,
                 bool ends_with_event, Arc& arc) {
  arc.band.deviation.resize(arc.observables.rows, arc.observables.cols);
  for (int i = 0; i < arc.observables.cols; ++i) {
    double time = arc.time[static_cast<std::size_t>(i)];
    if (ends_with_event && i + 1 == arc.observables.cols)
      time -= next_to(time);
    else if (std::find(events.begin(), events.end(), time) != events.end())
      time += next_to(time);
    const auto after = std::upper_bound(tau.begin(), tau.end() - 1, time);
    const int right = std::max(1, static_cast<int>(after - tau.begin()));
    const double share = std::clamp((time - tau[right - 1]) / (tau[right] - tau[right - 1]), 0.0, 1.0);
    for (int o = 0; o < arc.observables.rows; ++o)
      arc.band.deviation(o, i) = (1 - share) * deviation(o, right - 1) + share * deviation(o, right);
  }
}

// A direction that the data cannot see, and along which the observable moves by more than rounding, leaves no end to
// it.
void take_away_unbounded(const Matrix& observables, const Matrix& along_unseen, Matrix& deviation) {
  constexpr double rounding = 1e-5;  // of a move by the size of the quantities, relative to the observable
  for (int o = 0; o < deviation.rows; ++o) {
    double size = 0;
    for (int i = 0; i < observables.cols; ++i)
      if (std::isfinite(observables(o, i))) size = std::max(size, std::abs(observables(o, i)));
    for (int j = 0; j < deviation.cols; ++j)
      if (!(along_unseen(o, j) <= rounding * size)) deviation(o, j) = not_known;
  }
}

// sigma, or the dispersion of counts, of one observable along an arc.
std::vector<double> noise_along(const compile::CompiledModel& model, const std::vector<double>& p, const Arc& arc,
                                int observable) {
  std::vector<double> work(static_cast<std::size_t>(model.largest_work()));
  std::vector<double> out, room;
  for (int i = 0; i < arc.states.cols; ++i) {
    const double* p_there = model.parameters_at(arc.experiment, arc.time[static_cast<std::size_t>(i)], p.data(), room);
    double both[2];
    model.observables[static_cast<std::size_t>(observable)].value.run<1>(
        {.time = &arc.time[static_cast<std::size_t>(i)],
         .state = &arc.states.data[static_cast<std::size_t>(i) * arc.states.rows],
         .parameter = p_there},
        work.data(), both);
    out.push_back(both[1]);
  }
  return out;
}

// 95 % on the law's own scale: for the curve t times its deviation; for a new observation the quantiles of the law as
// well, the two as independent.
class Limits {
 public:
  Limits(const model::Observable& observable, double degrees, double inflation)
      : law_(observable.law()),
        has_noise_(observable.noise || model::is_count(observable.distribution)),
        t_(student_quantile(upper_probability, degrees)),
        inflation_(inflation) {}

  void put(int o, int i, double value, double deviation, double noise, Arc::Band& band) const {
    const bool positive = model::needs_positive(law_.distribution);
    const double reach = t_ * (positive ? deviation / value : deviation);
    const bool known = std::isfinite(reach) && (!positive || value > 0);
    const auto at = [&](double by) { return !known ? not_known : positive ? value * std::exp(by) : value + by; };
    band.lower(o, i) = at(-reach);
    band.upper(o, i) = at(reach);
    const bool new_known = known && has_noise_ && noise > 0;
    band.lower_new(o, i) = new_known ? new_limit(1 - upper_probability, value, reach, noise) : not_known;
    band.upper_new(o, i) = new_known ? new_limit(upper_probability, value, reach, noise) : not_known;
  }

 private:
  static constexpr double upper_probability = 0.975;

  double new_limit(double probability, double value, double reach, double noise) const {
    const double sign = probability < 0.5 ? -1 : 1;
    if (model::is_count(law_.distribution)) {
      const double count = model::quantile(law_, probability, value, noise) - value;
      return std::max(0.0, value + sign * std::hypot(count, value * std::expm1(reach)));
    }
    const double sigma = noise * std::sqrt(inflation_);
    const bool logarithmic = model::is_logarithmic(law_.distribution);
    const model::Law standard{model::has_corner(law_.distribution) ? model::Distribution::laplace : law_.distribution,
                              law_.shape};
    const double width =
        model::is_square(law_.distribution) ? t_ * sigma : model::quantile(standard, upper_probability, 0, sigma);
    const double by = sign * std::hypot(width, reach);
    return logarithmic ? value * std::exp(by) : value + by;
  }

  model::Law law_;
  bool has_noise_;
  double t_;
  double inflation_;
};

void add_limits(const shooting::ShootingProblem& shooting, const std::vector<double>& p, const FitResult& result,
                Arc& arc) {
  const int rows = arc.observables.rows;
  for (Matrix* matrix : {&arc.band.lower, &arc.band.upper, &arc.band.lower_new, &arc.band.upper_new})
    matrix->resize(rows, arc.observables.cols);
  for (int o = 0; o < rows; ++o) {
    const Limits limits(shooting.problem().observables[static_cast<std::size_t>(o)], result.band_degrees,
                        result.noise_inflation[static_cast<std::size_t>(o)]);
    const std::vector<double> noise = noise_along(shooting.model(), p, arc, o);
    for (int i = 0; i < arc.observables.cols; ++i)
      limits.put(o, i, arc.observables(o, i), arc.band.deviation(o, i), noise[static_cast<std::size_t>(i)], arc.band);
  }
}

}  // namespace

void add_bands(const shooting::ShootingProblem& shooting, const nlp::Point& q, FitResult& result) {
  if (result.covariance_on_scale.rows == 0) return;
  const pictures::PictureTimes times(shooting.problem());
  const auto parted_at = partings(result.solution_arcs, shooting.problem().experiments.size());
  std::vector<std::vector<double>> drawn(shooting.problem().experiments.size());
  for (const Arc& arc : result.solution_arcs)
    drawn[arc.experiment].insert(drawn[arc.experiment].end(), arc.time.begin(), arc.time.end());
  for (std::vector<double>& times_drawn : drawn)
    if (times_drawn.size() <= usual_points) times_drawn.clear();
  std::vector<shooting::Grid> grids;
  const int pieces = std::clamp(pieces_of_all_experiments / std::max(static_cast<int>(shooting.grids().size()), 1),
                                fewest_pieces, pieces_of_an_experiment);
  for (const shooting::Grid& grid : shooting.grids())
    grids.push_back(refined(grid, pieces, times, parted_at[grid.experiment], drawn[grid.experiment]));
  const auto fine = shooting.on(std::move(grids));
  if (!is_affordable(*fine)) return;
  const nlp::Point at = shooting::carried_over(shooting, q, *fine);
  nlp::Blocks blocks;
  if (!fine->linearize(at, blocks).ok) return;
  std::vector<Arc>& arcs = result.solution_arcs;
  std::vector<std::vector<std::size_t>> arcs_of(parted_at.size());
  for (std::size_t j = 0; j < arcs.size(); ++j) arcs_of[arcs[j].experiment].push_back(j);
  int first = fine->layout().thetas;
  for (int c = 0; c < static_cast<int>(fine->grids().size()); ++c) {
    if (fine->is_stopped()) return;
    const std::vector<int> places = places_of(fine->layout(), c, first);
    first += fine->layout().chains[c].size[0];
    Matrix deviation = MovedChain(*fine, blocks, at, root_of_covariance(places, result.covariance_on_scale), c).moves();
    if (!std::all_of(deviation.data.begin(), deviation.data.end(), [](double d) { return std::isfinite(d); })) continue;
    Matrix along_unseen;
    if (!result.unseen_on_scale.empty())
      along_unseen = MovedChain(*fine, blocks, at, unseen(places, result.unseen_on_scale), c).moves();
    const int experiment = fine->grids()[c].experiment;
    const std::vector<double>& events = parted_at[experiment];
    const std::vector<double> p = shooting.values_of(c, q, false).p;
    for (const std::size_t j : arcs_of[experiment]) {
      Arc& arc = arcs[j];
      Matrix bounded = deviation;
      if (!result.unseen_on_scale.empty()) take_away_unbounded(arc.observables, along_unseen, bounded);
      interpolate(fine->grids()[c].tau, bounded, events, j + 1 < arcs.size() && is_parted(arc, arcs[j + 1]), arc);
      add_limits(shooting, p, result, arc);
    }
  }
}

}  // namespace salvo::uncertainty
