#include "fit/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/words.hpp"
#include "estimate/quantities.hpp"
#include "fit/evaluate.hpp"
#include "shooting/measurements_by_time.hpp"
#include "shooting/nodes.hpp"
#include "start/observed_states.hpp"
#include "statistics/uncertainty.hpp"
#include "uncertainty/errors.hpp"
#include "uncertainty/next_measurement.hpp"
#include "uncertainty/summarize.hpp"
#include "words/null_direction.hpp"

namespace salvo::fit {
namespace {

std::string hint_of(const estimate::Setup& setup, Hint hint) {
  return spelled(setup.workspace->options().spelling, hint);
}

using Level = Finding::Level;

bool is_zero_column(const Matrix& matrix, int column) {
  for (int i = 0; i < matrix.rows; ++i)
    if (matrix(i, column) != 0) return false;
  return true;
}

// --- what the data see -----------------------------------------------------------------------------------------------

// Neither the trajectories nor the rows of the likelihood change with it.
bool is_without_effect(const nlp::Blocks& blocks, int theta) {
  if (!is_zero_column(blocks.priors.by_theta, theta)) return false;
  for (const nlp::ChainBlocks& chain : blocks.chains) {
    for (const nlp::Link& link : chain.links)
      if (!is_zero_column(link.by_theta, theta)) return false;
    for (const nlp::Rows& rows : chain.rows)
      if (!is_zero_column(rows.by_theta, theta)) return false;
  }
  return true;
}

// The start as one trajectory per experiment where the guesses give one, because gaps would hide what only a
// combination of quantities changes; else as the nodes are laid.
struct Start {
  std::unique_ptr<shooting::ShootingProblem> own{};
  const shooting::ShootingProblem* shooting = nullptr;
  nlp::Point q{};
  nlp::Blocks blocks{};
};
std::optional<Start> linearized_start(const estimate::Setup& setup) {
  shooting::ShootingOptions options = setup.shooting->options();
  options.lanes = 0;  // one experiment would fill one of four, but take the memory of all
  options.engine.buffers = nullptr;
  Start start{.own = std::make_unique<shooting::ShootingProblem>(
                  setup.problem(), setup.workspace->compiled(),
                  shooting::make_grids(setup.problem(), model::SingleInterval{}), options)};
  start.q = shooting::carried_over(*setup.shooting, setup.start, *start.own);
  start.shooting = start.own.get();
  if (start.shooting->linearize(start.q, setup.solve.request, start.blocks).ok) return start;
  start.shooting = setup.shooting.get();
  start.q = setup.start;
  if (start.shooting->linearize(start.q, setup.solve.request, start.blocks).ok) return start;
  return std::nullopt;
}

void unseen_quantities(const estimate::Setup& setup, const Start& start, std::vector<Finding>& findings) {
  const shooting::ShootingProblem& shooting = *start.shooting;
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  std::vector<std::string> idle;
  for (int i = 0; i < shooting.layout().thetas; ++i)
    if (is_without_effect(start.blocks, i)) idle.push_back(all[i].id);
  if (!idle.empty())
    findings.push_back(
        {Level::trouble, fmt::format("no equation, observable or initial value depends on {} at the start: "
                                     "hold it ({}), take it out, or start where it has an effect",
                                     listed(idle), hint_of(setup, Hint::hold))});
  const auto uncertainty = statistics::uncertainty(shooting.layout(), start.blocks, start.q, shooting.sizes(start.q));
  bool all_seen = idle.empty();
  for (const auto& direction : uncertainty.null_directions) {
    std::vector<std::string> ids;
    for (const auto& part : words::named(all, direction, start.q).parts)
      if (std::find(idle.begin(), idle.end(), part.first) == idle.end()) ids.push_back(part.first);
    if (ids.empty()) continue;
    all_seen = false;
    findings.push_back(
        {Level::trouble,
         ids.size() == 1
             ? fmt::format(
                   "at the start, nothing that is measured depends on {}: hold it ({}), or measure what it changes",
                   ids[0], hint_of(setup, Hint::hold))
             : fmt::format("at the start, not identifiable together: {}. Their estimates will have no standard errors: "
                           "hold one of "
                           "them ({}), or measure more",
                           listed(ids), hint_of(setup, Hint::hold))});
  }
  if (all_seen) findings.push_back({Level::good, "at the start, every estimated quantity is identifiable"});
}

// What standard errors the data would leave, were the guesses right, and which further measurement would help most.
void what_to_expect(const estimate::Setup& setup, Start start, std::vector<Finding>& findings) {
  const shooting::ShootingProblem& shooting = *start.shooting;
  const solve::SolveResult at_start{
      .request = setup.solve.request, .q = start.q, .linearized = std::move(start.blocks)};
  const uncertainty::Errors errors = uncertainty::errors_of(shooting, at_start, {});
  if (!errors.known) return;
  std::vector<std::string> vague;
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!errors.uncertainty.seen[i] || errors.uncertainty.held[i]) continue;
    const int k = static_cast<int>(i);
    const double scaled = start.q[all[i].unknown];
    const double slope = std::abs(model::from_scale_slope(all[i].estimated->scale, scaled));
    const double error = slope * std::sqrt(errors.uncertainty.covariance(k, k));
    const double size = std::abs(model::from_scale(all[i].estimated->scale, scaled));
    if (size > 0 && error > size) vague.push_back(all[i].id);
  }
  if (!vague.empty())
    findings.push_back(
        {Level::note, fmt::format("were the guesses right, the data would hardly tell {}: the standard error would "
                                  "exceed the value",
                                  listed(vague))});
  if (const auto next = uncertainty::next_measurement(shooting, setup.workspace->compiled(), start.q, errors))
    findings.push_back({Level::note, "were the guesses right: " + next->sentence});
}

// --- how the flow behaves --------------------------------------------------------------------------------------------

// By what power of ten a perturbation grows along one chain at the most, from any node to any later one. A few vectors
// are carried along; all but special ones turn into the direction that grows fastest.
double largest_growth(const nlp::ChainBlocks& chain) {
  double largest = 0;
  for (int seed = 0; seed < 3; ++seed) {
    std::vector<double> x;
    double log_size = 0;
    double smallest = 0;
    for (const nlp::Link& link : chain.links) {
      const Matrix& G = link.by_block;
      if (G.cols == 0) continue;
      if (static_cast<int>(x.size()) != G.cols) {
        x.resize(G.cols);
        for (int k = 0; k < G.cols; ++k) x[k] = std::cos(1.0 + 2.0 * seed + k * (seed + 1));
        log_size = smallest = 0;
      }
      std::vector<double> next(G.rows, 0.0);
      for (int k = 0; k < G.cols; ++k)
        for (int i = 0; i < G.rows; ++i) next[i] += G(i, k) * x[k];
      double before = 0;
      double after = 0;
      for (const double entry : x) before += entry * entry;
      for (const double entry : next) after += entry * entry;
      if (!(after > 0) || !(before > 0)) break;
      log_size += 0.5 * std::log10(after / before);
      smallest = std::min(smallest, log_size);
      largest = std::max(largest, log_size - smallest);
      for (double& entry : next) entry /= std::sqrt(after);
      x = std::move(next);
    }
  }
  return largest;
}

double largest_growth(const nlp::Blocks& blocks) {
  double largest = 0;
  for (const nlp::ChainBlocks& chain : blocks.chains) largest = std::max(largest, largest_growth(chain));
  return largest;
}

void about_growth(const estimate::Setup& setup, double largest, std::vector<Finding>& findings) {
  constexpr double much = 4;
  if (largest > much)
    findings.push_back(
        {Level::note,
         fmt::format("perturbations grow by a factor of 1e{:.0f} over the data (chaotic or unstable): single "
                     "shooting would be hopeless; leave the nodes to auto, which begins with {}",
                     largest, estimate::choices_of(setup).nodes)});
}

void effort(const estimate::Setup& setup, long evaluations, std::vector<Finding>& findings) {
  constexpr long many_evaluations = 60'000;
  constexpr long for_each_time = 20;  // of measurement, where every step has to end
  constexpr long for_each_experiment = 500;
  long times = 0;
  for (const std::vector<double>& of_experiment : shooting::measured_times(setup.problem()))
    times += std::ssize(of_experiment);
  const long experiments = std::ssize(setup.shooting->grids());
  const model::Integrator& in_use = setup.workspace->shooting_options().integrator;
  const bool is_explicit = std::holds_alternative<model::Dopri5>(in_use) || std::holds_alternative<model::Rk4>(in_use);
  const std::string advice =
      is_explicit ? ", and the system may be stiff. Leave the integrator to auto or choose rodas5p, and" : ":";
  if (evaluations > many_evaluations + for_each_time * times + for_each_experiment * experiments)
    findings.push_back(
        {Level::trouble,
         fmt::format(
             "one simulation takes {} evaluations of the equations: the fastest rates are far too fast for the time "
             "that the data cover{} try larger tolerances ({}) or slower guesses",
             evaluations, advice, hint_of(setup, Hint::tolerance))});
}

// One trajectory from the guess, without the help of nodes.
void lone_trajectory(const estimate::Setup& setup, std::vector<Finding>& findings) {
  const EvaluateResult alone = evaluate(setup.problem(), {.simulations = false});
  if (!alone.ok)
    findings.push_back(
        {Level::note, fmt::format("from the guess alone there is no trajectory over all data ({}); multiple "
                                  "shooting does without, single shooting would fail",
                                  alone.message)});
}

// States that no measurement reveals: their nodes rest on the guess.
void hidden_states(const estimate::Setup& setup, std::vector<Finding>& findings) {
  const shooting::ShootingProblem& shooting = *setup.shooting;
  const std::vector<std::vector<int>> by_time = shooting::measurements_by_time(shooting.problem());
  std::vector<bool> revealed(shooting.problem().states.size(), false);
  for (std::size_t c = 0; c < shooting.grids().size(); ++c) {
    const int experiment = shooting.grids()[c].experiment;
    const auto observed =
        start::observed_states(shooting.problem(), shooting.model(), experiment, by_time[experiment],
                               shooting.values_of(static_cast<int>(c), setup.start, false), setup.rules().start);
    for (std::size_t i = 0; i < revealed.size(); ++i) revealed[i] = revealed[i] || !observed.states[i].series.empty();
  }
  std::vector<std::string> hidden;
  for (std::size_t i = 0; i < model::ordinary_states(shooting.problem()); ++i)  // cells begin as their field does
    if (!revealed[i]) hidden.push_back(shooting.problem().states[i].id);
  if (!hidden.empty())
    findings.push_back(
        {Level::note, fmt::format("the data do not give {} directly: what the fit starts from there rests on "
                                  "the guesses{}",
                                  listed(hidden),
                                  hidden.size() == revealed.size()
                                      ? ". No state is measured by itself, so make the guesses good, or use " +
                                            hint_of(setup, Hint::starts)
                                      : "")});
}

// --- data and noise --------------------------------------------------------------------------------------------------

// What the start says of one observable.
struct SeriesOfValues {
  std::vector<double> value{};
  std::vector<double> simulation{};
  std::vector<double> residual{};  // in units of the noise, without sign
  bool own_sigma = false;
};

std::vector<SeriesOfValues> series_of(const estimate::Setup& setup,
                                      const std::vector<shooting::ShootingProblem::Predicted>& predicted) {
  const model::Problem& problem = setup.problem();
  std::vector<SeriesOfValues> all(problem.observables.size());
  for (int n = 0; n < static_cast<int>(predicted.size()); ++n) {
    const model::Measurement& measurement = problem.measurements[n];
    SeriesOfValues& series = all[measurement.observable];
    series.value.push_back(measurement.value);
    series.simulation.push_back(predicted[n].simulation);
    series.residual.push_back(std::abs(setup.shooting->noise_row(n, predicted[n]).residual));
    series.own_sigma = series.own_sigma || measurement.sigma.has_value();
  }
  return all;
}

double median_size(std::vector<double> numbers) {
  for (double& number : numbers) number = std::abs(number);
  const auto middle = numbers.begin() + static_cast<long>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

bool are_all_equal(const std::vector<double>& numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) == numbers.end();
}

bool noise_is_estimated(const compile::ObservableKernel& kernel) {
  constexpr int sigma_row = 1;
  const auto& rows = kernel.by_parameter.row;
  return std::find(rows.begin(), rows.end(), sigma_row) != rows.end();
}

void about_series(const std::string& id, const SeriesOfValues& series, bool estimates_noise,
                  std::vector<Finding>& findings) {
  constexpr double far_off = 1000;
  const bool is_zero = are_all_equal(series.simulation) && series.simulation[0] == 0;
  if (is_zero && median_size(series.value) > 0) {
    findings.push_back(
        {Level::trouble,
         fmt::format("at the start, {} is zero wherever it is measured: a guess or an initial value of zero "
                     "keeps it there; start with another value",
                     id)});
  } else if (!estimates_noise && median_size(series.residual) > far_off) {
    findings.push_back(
        {Level::trouble,
         fmt::format("at the start, {} is typically {:.2g} where {:.2g} was measured, more than 1000 times the "
                     "noise away: check units and noise, or improve the guess",
                     id, median_size(series.simulation), median_size(series.value))});
  }
  if (estimates_noise && !series.own_sigma && (series.value.size() < 3 || are_all_equal(series.value)))
    findings.push_back(
        {Level::trouble,
         fmt::format("the noise of {} is to be estimated from {}{}: a perfect fit would drive it to 0. State "
                     "it in the file",
                     id, counted(std::ssize(series.value), "value"),
                     series.value.size() < 3 ? "" : ", all of them equal")});
}

}  // namespace

std::vector<Finding> diagnose_noise(const estimate::Setup& setup,
                                    const std::vector<shooting::ShootingProblem::Predicted>& at_start) {
  std::vector<Finding> findings;
  const std::vector<SeriesOfValues> all = series_of(setup, at_start);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string& id = setup.problem().observables[k].id;
    if (!all[k].value.empty())
      about_series(id, all[k], noise_is_estimated(setup.shooting->model().observables[k]), findings);
  }
  return findings;
}

void diagnose(const estimate::Setup& setup, long evaluations, std::vector<Finding>& findings) {
  const shooting::ShootingProblem& shooting = *setup.shooting;
  const std::string why = uncertainty::why_no_errors(shooting, setup.laid.method);
  nlp::Blocks blocks;
  std::unique_ptr<nlp::Products> by_theta;
  if (!why.empty()) {
    findings.push_back({Level::note, "no standard errors will be given: " + why});
    if (shooting.linearize_nodes(setup.start, setup.solve.request, blocks, by_theta).ok)
      about_growth(setup, largest_growth(blocks), findings);
  } else if (shooting.linearize(setup.start, setup.solve.request, blocks).ok && !shooting.is_stopped()) {
    const double largest = largest_growth(blocks);
    blocks = {};  // of long data, those that follow take as much
    if (auto start = linearized_start(setup)) {
      unseen_quantities(setup, *start, findings);
      what_to_expect(setup, *std::move(start), findings);
    }
    about_growth(setup, largest, findings);
  }
  if (shooting.is_stopped()) return;
  effort(setup, evaluations, findings);
  lone_trajectory(setup, findings);
  hidden_states(setup, findings);
}

}  // namespace salvo::fit
