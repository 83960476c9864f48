#include "shooting/shooting_problem.hpp"

#include <algorithm>
#include <cmath>

#include "integrate/work.hpp"
#include "shooting/pass.hpp"

namespace salvo::shooting {

ShootingProblem::ShootingProblem(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model,
                                 std::vector<Grid> grids, ShootingOptions options)
    : ShootingProblem(problem, std::make_shared<Engine>(std::move(model), options.engine, options.rules),
                      std::move(grids), options) {}

ShootingProblem::ShootingProblem(const model::Problem& problem, std::shared_ptr<Engine> engine, std::vector<Grid> grids,
                                 ShootingOptions options)
    : ShootingProblem(std::make_shared<const Subject>(problem, engine->model(), options.rules), engine,
                      std::move(grids), options) {}

ShootingProblem::ShootingProblem(std::shared_ptr<const Subject> subject, std::shared_ptr<Engine> engine,
                                 std::vector<Grid> grids, ShootingOptions options)
    : problem_(subject->problem),
      engine_(std::move(engine)),
      work_before_(engine_->work()),
      grids_(std::move(grids)),
      options_(std::move(options)),
      subject_(std::move(subject)),
      layout_(make_layout(*subject_, grids_)),
      plan_(make_plan(*subject_, grids_)),
      derivatives_(choose_derivatives(workload(), options_.derivatives)),
      theta_products_(choose_theta_products(workload(), options_.theta_products, subject_->theta_priors)) {
  options_.engine = engine_->options();
  // Two in a pack of four already take little more than one of them alone.
  if (options_.lanes == 0) options_.lanes = plan_.intervals.size() >= 2 && !model().looks_back() ? widest_pack : 1;
}

ShootingProblem::~ShootingProblem() = default;

compile::Wanted ShootingProblem::wanted_for(const Pass& pass) const {
  const bool stiff = std::holds_alternative<model::Rodas5p>(pass.integrator);
  if (pass.stored != nullptr)
    return {.lanes = options_.lanes,
            .tangents = stiff,
            .jacobian = false,
            .vjp = true,
            .directions = !stiff,
            .stiff = stiff,
            .whole_steps = integrate::whole_steps_of(pass.integrator)};
  const bool forward = pass.gradients == nullptr && derivatives_.derivatives == model::Derivatives::tangent;
  const bool by_jacobian =
      pass.gradients == nullptr && !forward && integrate::adjoints_share_jacobian(model(), model().states);
  return {.lanes = options_.lanes,
          .tangents = forward,
          .jacobian = by_jacobian,
          .vjp = !forward && !by_jacobian,
          .stiff = stiff,
          .whole_steps = integrate::whole_steps_of(pass.integrator)};
}

nlp::Blocks ShootingProblem::used_blocks() const { return engine_->buffers().blocks.give_away(); }

void ShootingProblem::leave(nlp::Blocks blocks) const {
  if (!blocks.chains.empty()) engine_->buffers().blocks.leave(std::move(blocks));
}

// One trajectory alone in a pack of four takes a third more work and stores four times as many steps. While short, it
// shares the pack's machine code, if that was made.
std::unique_ptr<ShootingProblem> ShootingProblem::on(std::vector<Grid> grids,
                                                     std::shared_ptr<const Subject> subject) const {
  ShootingOptions options = options_;
  const bool is_one_trajectory = grids.size() == 1 && grids[0].intervals() == 1;
  const bool is_long = problem_.measurements.size() > integrate::default_max_steps;
  if (is_one_trajectory && (is_long || engine_->code_changes() == 0)) options.lanes = 1;
  return std::make_unique<ShootingProblem>(std::move(subject), engine_, std::move(grids), std::move(options));
}

std::unique_ptr<ShootingProblem> ShootingProblem::on(std::vector<Grid> grids) const {
  return on(std::move(grids), subject_);
}

std::unique_ptr<ShootingProblem> ShootingProblem::on_one_trajectory() const {
  std::vector<Grid> grids = make_grids(problem_, model::SingleInterval{});
  const bool has_links =
      std::any_of(grids.begin(), grids.end(), [this](const Grid& grid) { return has_end_node(*subject_, grid); });
  return on(std::move(grids),
            has_links ? std::make_shared<const Subject>(problem_, model(), options_.rules, false) : subject_);
}

double ShootingProblem::iteration_work(double stages) const {
  return shooting::iteration_work(workload(), derivatives_.derivatives, options_.lanes, stages);
}

double ShootingProblem::stages_to_come(double accuracy) const {
  return static_cast<double>(plan_.intervals.size()) * stages_of_an_interval(work_on_these_nodes(), options_.rules) *
         integrate::steps_saved(options_.integrator, accuracy);
}

std::vector<double> ShootingProblem::sizes(const nlp::Point& q) const {
  const auto room = engine_->buffers().rooms.borrow();
  evaluate_experiments(q, false, *room);
  write_sizes(q, *room);
  return (*room).sizes;
}

// With the initial states of the room's experiments.
void ShootingProblem::write_sizes(const nlp::Point& q, PassRoom& room) const {
  std::vector<double>& sizes = room.sizes;
  sizes.assign(layout_.unknowns, 1.0);
  const auto size_of = [this](const model::Estimated& estimated, double value) {
    if (estimated.scale != model::Scale::lin) return 1.0;
    if (estimated.size) return std::max(*estimated.size, std::abs(value));
    const double size = std::max(std::abs(value), options_.rules.of_guess * std::abs(estimated.guess.value_or(0)));
    return size > 0 ? size : 1.0;
  };
  for (int i = 0; i < layout_.thetas; ++i) sizes[i] = size_of(estimated_theta(problem_, names(), i), q[i]);
  const int d = model().states;
  room.state_sizes.assign(layout_.chains.size() * d, 0.0);
  for (std::size_t c = 0; c < layout_.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout_.chains[c];
    const auto node = [&](int j) { return node_map(room.experiments[c], chain, j, q); };
    double* largest = room.state_sizes.data() + c * d;
    for (int j = 0; j <= chain.links(); ++j) {
      const double* s = node(j).state();
      for (int i = 0; i < d; ++i) largest[i] = std::max(largest[i], std::abs(s[i]));
    }
    for (int i = 0; i < d; ++i)
      if (!(largest[i] > 0)) largest[i] = 1;
    for (int j = 1; j <= chain.links(); ++j)
      node(j).each_by_block([&](int row, int column, double) { sizes[chain.offset[j] + column] = largest[row]; });
    const std::vector<int>& free = names().initial[grids_[c].experiment];
    for (std::size_t k = 0; k < free.size(); ++k) {
      const auto& estimated = std::get<model::Estimated>(problem_.experiments[grids_[c].experiment].initial[free[k]]);
      sizes[chain.offset[0] + k] = estimated.scale == model::Scale::lin ? largest[free[k]] : 1.0;
    }
  }
}

// Of all chains but those that are left out, if any are.
void ShootingProblem::evaluate_experiments(const nlp::Point& q, bool with_derivatives, PassRoom& room,
                                           const std::vector<char>& left_out) const {
  room.experiments.resize(layout_.chains.size());
  room.experiment.rest_evaluations = 0;
  room.experiment.expected_evaluations = expected_rest_evaluations(options_.engine.expected_reuse, options_.rules);
  room.experiment.stop = stop();
  for (std::size_t c = 0; c < layout_.chains.size(); ++c)
    if (left_out.empty() || left_out[c] == 0)
      write_experiment_values(
          {problem_, model(), names(), grids_[c].experiment, q.data(), q.data() + layout_.chains[c].offset[0]},
          with_derivatives, room.experiment, room.experiments[c]);
  engine_->count({.rhs = room.experiment.rest_evaluations});
}

ExperimentValues ShootingProblem::values_of(int chain, const nlp::Point& q, bool with_derivatives) const {
  return values_of(chain, q.data(), q.data() + layout_.chains[chain].offset[0], with_derivatives);
}

// In a room of the engine: a steady state that an evaluation has found at this point is known there, and what all
// experiments share is not made again for each of them.
ExperimentValues ShootingProblem::values_of(int chain, const double* theta, const double* v0,
                                            bool with_derivatives) const {
  const auto room = engine_->buffers().rooms.borrow();
  (*room).experiment.stop = stop();
  ExperimentValues out;
  write_experiment_values({problem_, model(), names(), grids_[chain].experiment, theta, v0}, with_derivatives,
                          (*room).experiment, out);
  return out;
}

std::vector<double> ShootingProblem::node_state(int chain, int j, const nlp::Point& q) const {
  return node_state(chain, j, q, j == 0 ? values_of(chain, q, false) : ExperimentValues{});
}

std::vector<double> ShootingProblem::node_state(int chain, int j, const nlp::Point& q,
                                                const ExperimentValues& values) const {
  const double* s = node_map(values, layout_.chains[chain], j, q).state();
  return {s, s + model().states};
}

void ShootingProblem::put_node_state(int chain, int j, std::span<const double> state, nlp::Point& q) const {
  std::copy(state.begin(), state.end(), q.begin() + layout_.chains[chain].offset[j]);
}

nlp::Evaluation ShootingProblem::values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const {
  const auto room = engine_->buffers().rooms.borrow();
  Pass pass{.q = q, .request = request, .room = *room, .blocks = &out};
  return run(pass);
}

nlp::Evaluation ShootingProblem::values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                                        std::vector<Predicted>& predicted) const {
  const auto room = engine_->buffers().rooms.borrow();
  predicted.assign(problem_.measurements.size(), {});
  Pass pass{.q = q, .request = request, .room = *room, .blocks = &out, .predicted = &predicted};
  return run(pass);
}

nlp::Evaluation ShootingProblem::linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const {
  const auto room = engine_->buffers().rooms.borrow();
  Pass pass{.q = q, .request = request, .room = *room, .blocks = &out, .jacobians = true};
  return run(pass);
}

nlp::Evaluation ShootingProblem::linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                                           std::vector<Predicted>& predicted) const {
  const auto room = engine_->buffers().rooms.borrow();
  predicted.assign(problem_.measurements.size(), {});
  Pass pass{.q = q, .request = request, .room = *room, .blocks = &out, .jacobians = true, .predicted = &predicted};
  return run(pass);
}

nlp::Evaluation ShootingProblem::adjoint(const nlp::Point& q, const nlp::Request& request,
                                         const nlp::GapWeights& weights, nlp::Gradients& out) const {
  const auto room = engine_->buffers().rooms.borrow();
  Pass pass{.q = q, .request = request, .room = *room, .gradients = &out, .weights = &weights};
  return run(pass);
}

// Where everything is measured at nodes, no trajectory is needed.
nlp::Evaluation ShootingProblem::predict(const nlp::Point& q, const nlp::Request& request,
                                         std::vector<Predicted>& out) const {
  const auto room = engine_->buffers().rooms.borrow();
  out.assign(problem_.measurements.size(), {});
  Pass pass{.q = q, .request = request, .room = *room, .predicted = &out};
  if (std::none_of(plan_.intervals.begin(), plan_.intervals.end(),
                   [](const PlannedInterval& interval) { return interval.inner_rows > 0; })) {
    choose_code(pass);
    begin(pass);
    evaluate_first_nodes(pass);
    return first_trouble(pass);
  }
  nlp::Blocks blocks;
  pass.blocks = &blocks;
  return run(pass);
}

model::NoiseRow ShootingProblem::noise_row(int measurement, const Predicted& predicted) const {
  const model::Measurement& m = problem_.measurements[measurement];
  return model::noise_row(problem_.observables[m.observable].law(), m.datum(), predicted.simulation, predicted.sigma, 0,
                          model::RowsFor::information);
}

}  // namespace salvo::shooting
