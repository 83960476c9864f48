#include "design/information.hpp"

#include <algorithm>
#include <cmath>

#include "fit/unbroken.hpp"

namespace salvo::design {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// An observable of its own, with a noise of one: its row is how the formula changes.
int add_target(model::Problem& problem, const model::DesignTarget& target) {
  std::vector<model::NodeId> from, to;
  for (const model::State& state : problem.states)
    if (state.initial != expression::no_node) from.push_back(state.initial), to.push_back(state.symbol);
  const model::NodeId formula = expression::substitute(problem.graph, {&*target.formula, 1}, from, to)[0];
  problem.observables.push_back({.id = target.text, .formula = formula, .noise = problem.graph.constant(1)});
  return static_cast<int>(problem.observables.size()) - 1;
}

Column column_of(const model::Problem& problem, const shooting::UnknownNames& names,
                 const estimate::Quantity& quantity) {
  if (quantity.state < 0) return {.parameter = names.parameter[quantity.unknown]};
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e)
    if (problem.experiments[e].id == quantity.experiment) return {.experiment = e, .state = quantity.state};
  return {};
}

}  // namespace

struct Information::Evaluated {
  bool ok = true;
  std::string trouble{};
  MatrixXd jacobian{};
  std::vector<shooting::RowMeaning> meaning{};  // of the first rows; priors follow
};

Information::Information(const model::Problem& problem, const Options& options) : problem_(problem), options_(options) {
  problem_.constraints.clear();
  problem_.validation.clear();
  usual_noise_.resize(problem_.observables.size());
  for (const model::Measurement& m : problem_.measurements)
    if (m.sigma) usual_noise_[m.observable] = m.sigma;
  if (problem_.design->target.formula) target_observable_ = add_target(problem_, problem_.design->target);
  compiled_ = compile::compile(problem_, options_.stop);
}

std::vector<model::Measurement> Information::measurements_of(const Sample& sample) const {
  std::vector<model::Measurement> out;
  for (const int o : problem_.design->measures[sample.measure].observables) {
    model::Measurement m{.experiment = sample.experiment, .observable = o, .time = sample.time, .value = 1};
    if (!problem_.observables[o].noise) m.sigma = usual_noise_[o];
    out.push_back(m);
  }
  return out;
}

Information::Evaluated Information::evaluate(model::Problem problem, std::span<const Column> columns) const {
  Evaluated out;
  const fit::Unbroken unbroken(
      problem, compiled_,
      {.integrator = options_.integrator.value_or(problem.settings.integrator), .engine = {.stop = options_.stop}});
  fit::Unbroken::Room room{.q = unbroken.guess()};
  room.request.rows = nlp::RowsFor::information;
  const nlp::Evaluation done = unbroken.linearize(room);
  if (!done.ok) return {.ok = false, .trouble = done.trouble};
  Matrix all;
  unbroken.write_jacobian(room.blocks, all);
  out.meaning = unbroken.shooting().rows_in_order();
  out.jacobian = MatrixXd::Zero(all.rows, static_cast<Eigen::Index>(columns.size()));
  for (int k = 0; k < all.cols; ++k) {
    const Column column = column_of(problem, unbroken.shooting().names(), unbroken.quantities()[k]);
    const auto found = std::find(columns.begin(), columns.end(), column);
    if (found == columns.end()) continue;  // held at its bound
    for (int n = 0; n < all.rows; ++n) out.jacobian(n, found - columns.begin()) = all(n, k);
  }
  if (!out.jacobian.allFinite()) return {.ok = false, .trouble = "the derivatives are not finite"};
  return out;
}

std::vector<Column> Information::columns(std::span<const Sample> samples) const {
  model::Problem problem = problem_;
  for (const Sample& sample : samples)
    for (const model::Measurement& m : measurements_of(sample)) problem.measurements.push_back(m);
  const fit::Unbroken unbroken(problem, compiled_, {.integrator = problem.settings.integrator});
  std::vector<Column> out;
  for (const estimate::Quantity& quantity : unbroken.quantities())
    out.push_back(column_of(problem, unbroken.shooting().names(), quantity));
  return out;
}

Information::Rows Information::rows(std::span<const Sample> samples, std::span<const Column> columns) const {
  Rows out{.of_sample = std::vector<MatrixXd>(samples.size())};
  if (samples.empty()) return out;
  model::Problem problem = problem_;
  problem.measurements.clear();
  std::vector<int> sample_of;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (const model::Measurement& m : measurements_of(samples[i])) {
      problem.measurements.push_back(m);
      sample_of.push_back(static_cast<int>(i));
    }
  const Evaluated evaluated = evaluate(std::move(problem), columns);
  if (!evaluated.ok) return {.ok = false, .trouble = evaluated.trouble};
  std::vector<int> count(samples.size(), 0);
  for (const shooting::RowMeaning& row : evaluated.meaning)
    if (row.measurement >= 0) ++count[sample_of[row.measurement]];
  for (std::size_t i = 0; i < samples.size(); ++i) out.of_sample[i].resize(count[i], evaluated.jacobian.cols());
  for (std::size_t n = 0; n < evaluated.meaning.size(); ++n) {
    if (evaluated.meaning[n].measurement < 0) continue;
    const int i = sample_of[evaluated.meaning[n].measurement];
    out.of_sample[i].row(--count[i]) = evaluated.jacobian.row(static_cast<Eigen::Index>(n));
  }
  return out;
}

Information::Known Information::known(std::span<const Sample> samples, std::span<const Column> columns) const {
  model::Problem problem = problem_;
  const int data = static_cast<int>(problem.measurements.size());
  if (target_observable_ >= 0) {
    const model::DesignTarget& target = problem_.design->target;
    const double start = problem_.experiments[target.experiment].start;
    problem.measurements.push_back({.experiment = target.experiment,
                                    .observable = target_observable_,
                                    .time = target.time.value_or(start),
                                    .value = 1,
                                    .before_events = !target.time});
  }
  // Priors of initial values belong to experiments that are measured.
  for (const Sample& sample : samples)
    for (const model::Measurement& m : measurements_of(sample)) problem.measurements.push_back(m);
  if (problem.measurements.empty()) return {.rows = MatrixXd(0, static_cast<Eigen::Index>(columns.size()))};
  const Evaluated evaluated = evaluate(std::move(problem), columns);
  if (!evaluated.ok) return {.ok = false, .trouble = evaluated.trouble};
  Known out{.rows = MatrixXd(evaluated.jacobian.rows(), evaluated.jacobian.cols())};
  Eigen::Index kept = 0;
  for (Eigen::Index n = 0; n < evaluated.jacobian.rows(); ++n) {
    const bool is_prior = n >= static_cast<Eigen::Index>(evaluated.meaning.size());
    const int measurement = is_prior ? -1 : evaluated.meaning[n].measurement;
    if (measurement < data) out.rows.row(kept++) = evaluated.jacobian.row(n);
    if (target_observable_ >= 0 && measurement == data) out.target = evaluated.jacobian.row(n);
  }
  out.rows.conservativeResize(kept, Eigen::NoChange);
  return out;
}

bool Information::reaches(int experiment, double time) const {
  model::Problem problem = problem_;
  problem.measurements.clear();
  for (model::Observable& observable : problem.observables) observable.distribution = model::Distribution::normal;
  problem.measurements.push_back({.experiment = experiment, .observable = 0, .time = time, .value = 1, .sigma = 1.0});
  return evaluate(std::move(problem), {}).ok;
}

}  // namespace salvo::design
