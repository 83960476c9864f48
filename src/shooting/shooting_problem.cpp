#include "shooting/shooting_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "integrate/work.hpp"
#include "nlp/work.hpp"
#include "shooting/pass.hpp"

namespace salvo::shooting {

ShootingProblem::ShootingProblem(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model,
                                 std::vector<Grid> grids, ShootingOptions options)
    : ShootingProblem(problem, std::make_shared<Engine>(std::move(model), options.engine), std::move(grids), options) {}

ShootingProblem::ShootingProblem(const model::Problem& problem, std::shared_ptr<Engine> engine, std::vector<Grid> grids,
                                 ShootingOptions options)
    : problem_(problem),
      engine_(std::move(engine)),
      work_before_(engine_->work()),
      grids_(std::move(grids)),
      options_(std::move(options)),
      names_(unknown_names(problem)),
      layout_(make_layout(problem, model(), grids_, names_)),
      plan_(make_plan(problem, model(), grids_, names_)) {
  options_.engine = engine_->options();
  // Two in a pack of four already take little more than one of them alone.
  if (options_.lanes == 0) options_.lanes = plan_.intervals.size() >= 2 ? 4 : 1;
  for (const Grid& grid : grids_)
    acting_.push_back({acting_thetas(problem_, model(), names_, grid.experiment, true),
                       acting_thetas(problem_, model(), names_, grid.experiment, false)});
  for (const PlannedInterval& interval : plan_.intervals) {
    const int knots = model().knots_between(grids_[interval.chain].experiment, interval.begin, interval.stops.back());
    most_stops_ = std::max(most_stops_, interval.stops.size() + knots);
  }
  choose_derivatives();
  choose_theta_products();
}

ShootingProblem::~ShootingProblem() = default;

// v_j and the thetas that act.
long ShootingProblem::tangent_columns(const PlannedInterval& interval) const {
  const Acting& acting = acting_[interval.chain];
  return layout_.chains[interval.chain].size[interval.j] + (interval.j == 0 ? acting.from_start : acting.from_nodes);
}

int ShootingProblem::gap_rows(const PlannedInterval& interval) const {
  return interval.j < layout_.chains[interval.chain].links() ? model().states : 0;
}

// Tangents sweep forward what acts; adjoints sweep one scalar back for each gap component and each row measured inside.
void ShootingProblem::choose_derivatives() {
  derivatives_ = options_.derivatives;
  if (!model().has_jacobian) derivatives_ = model::Derivatives::adjoint;
  if (derivatives_ != model::Derivatives::automatic) return;
  int scalars = 0;
  long columns = 0;
  for (const PlannedInterval& interval : plan_.intervals) {
    scalars = std::max(scalars, gap_rows(interval) + interval.inner_rows);
    columns = std::max(columns, tangent_columns(interval));
  }
  const double tangents = static_cast<double>(integrate::tangent_work(model(), columns));
  const double adjoints = static_cast<double>(integrate::adjoint_work(model(), scalars));
  derivatives_ = tangents <= adjoints ? model::Derivatives::tangent : model::Derivatives::adjoint;
  const bool forward = derivatives_ == model::Derivatives::tangent;
  why_derivatives_ =
      fmt::format("{:.2g} times the work of {}", std::min(tangents, adjoints) / std::max(tangents, adjoints),
                  forward ? "adjoints" : "tangents");
}

compile::Wanted ShootingProblem::wanted_for(const Pass& pass) const {
  const bool stiff = std::holds_alternative<model::Rodas5p>(pass.integrator);
  if (pass.trail != nullptr)
    return {.lanes = options_.lanes,
            .tangents = stiff,
            .jacobian = false,
            .vjp = true,
            .directions = !stiff,
            .stiff = stiff,
            .whole_steps = integrate::whole_steps_of(pass.integrator)};
  const bool forward = pass.gradients == nullptr && derivatives_ == model::Derivatives::tangent;
  const bool by_jacobian =
      pass.gradients == nullptr && !forward && integrate::adjoints_share_jacobian(model(), model().states);
  return {.lanes = options_.lanes,
          .tangents = forward,
          .jacobian = by_jacobian,
          .vjp = !forward && !by_jacobian,
          .stiff = stiff,
          .whole_steps = integrate::whole_steps_of(pass.integrator)};
}

// A pack of four keeps four times as many steps as there are on one long trajectory, which is worse than to do without
// machine code that was made for packs.
std::unique_ptr<ShootingProblem> ShootingProblem::on(std::vector<Grid> grids) const {
  ShootingOptions options = options_;
  const bool is_one_trajectory = grids.size() == 1 && grids[0].intervals() == 1;
  if (is_one_trajectory && problem_.measurements.size() > integrate::default_max_steps) options.lanes = 1;
  return std::make_unique<ShootingProblem>(problem_, engine_, std::move(grids), std::move(options));
}

// Matrices take one adjoint for each row, whatever the number of products.
void ShootingProblem::choose_theta_products() {
  theta_products_ = options_.theta_products;
  if (theta_products_ != ThetaProductsBy::automatic) return;
  constexpr double most_numbers = 3e7;  // to be kept
  double rows = 0;
  for (const auto& chain : plan_.row_count)
    for (const int count : chain) rows += count;
  for (int i = 0; i < layout_.thetas; ++i) rows += estimated_theta(problem_, names_, i).prior ? 1 : 0;
  double matrices = 0;
  double sweeps = 0;
  for (const PlannedInterval& interval : plan_.intervals) {
    rows += gap_rows(interval);
    matrices += static_cast<double>(integrate::adjoint_work(model(), gap_rows(interval) + interval.inner_rows));
    sweeps +=
        static_cast<double>(integrate::products_work(model(), std::min<long>(usual_products, layout_.thetas + 1)));
  }
  const bool fits = rows * layout_.thetas <= most_numbers;
  theta_products_ = matrices <= sweeps && fits ? ThetaProductsBy::matrices : ThetaProductsBy::sweeps;
}

// A pack is as long under way as its longest interval.
double ShootingProblem::iteration_work(double stages) const {
  const double price_of_a_lane = options_.lanes == 1 ? 1 : 1.0 / 3;  // with all of them in use
  double sweeps = 0;
  double length = 0;
  double rows = 0;
  for (std::size_t first = 0; first < plan_.intervals.size(); first += options_.lanes) {
    double longest = 0;
    for (std::size_t n = first; n < std::min(first + options_.lanes, plan_.intervals.size()); ++n) {
      const PlannedInterval& interval = plan_.intervals[n];
      const double part = interval.stops.back() - interval.begin;
      const long work = derivatives_ == model::Derivatives::tangent
                            ? integrate::tangent_work(model(), tangent_columns(interval))
                            : integrate::adjoint_work(model(), gap_rows(interval) + interval.inner_rows);
      longest = std::max(longest, part * static_cast<double>(work));
      length += part;
      rows += gap_rows(interval) + interval.inner_rows;
    }
    sweeps += longest * options_.lanes * price_of_a_lane;
  }
  return (length > 0 ? stages * sweeps / length : 0) + nlp::elimination_work(rows, model().states, layout_.thetas);
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
  const auto size_of = [](const model::Estimated& estimated, double value) {
    if (estimated.scale != model::Scale::lin) return 1.0;
    if (estimated.size) return std::max(*estimated.size, std::abs(value));
    const double size = std::max(std::abs(value), 1e-3 * std::abs(estimated.guess.value_or(0)));
    return size > 0 ? size : 1.0;
  };
  for (int i = 0; i < layout_.thetas; ++i) sizes[i] = size_of(estimated_theta(problem_, names_, i), q[i]);
  for (std::size_t c = 0; c < layout_.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout_.chains[c];
    const std::vector<double>& s0 = room.experiments[c].s0;
    for (int i = 0; i < model().states; ++i) {
      double largest = std::abs(s0[i]);
      for (int j = 1; j <= chain.links(); ++j) largest = std::max(largest, std::abs(q[chain.offset[j] + i]));
      if (!(largest > 0)) largest = 1;
      for (int j = 1; j <= chain.links(); ++j) sizes[chain.offset[j] + i] = largest;
      const std::vector<int>& free = names_.initial[grids_[c].experiment];
      const auto found = std::find(free.begin(), free.end(), i);
      if (found == free.end()) continue;
      const auto& estimated = std::get<model::Estimated>(problem_.experiments[grids_[c].experiment].initial[i]);
      sizes[chain.offset[0] + (found - free.begin())] = estimated.scale == model::Scale::lin ? largest : 1.0;
    }
  }
}

void ShootingProblem::evaluate_experiments(const nlp::Point& q, bool with_derivatives, PassRoom& room) const {
  room.experiments.resize(layout_.chains.size());
  room.experiment.rest_evaluations = 0;
  room.experiment.expected_reuse = options_.engine.expected_reuse;
  for (std::size_t c = 0; c < layout_.chains.size(); ++c)
    write_experiment_values(problem_, model(), names_, grids_[c].experiment, q.data(),
                            q.data() + layout_.chains[c].offset[0], with_derivatives, room.experiment,
                            room.experiments[c]);
  engine_->count({.rhs = room.experiment.rest_evaluations});
}

ExperimentValues ShootingProblem::values_of(int chain, const nlp::Point& q, bool with_derivatives) const {
  return experiment_values(problem_, model(), names_, grids_[chain].experiment, q.data(),
                           q.data() + layout_.chains[chain].offset[0], with_derivatives);
}

std::vector<double> ShootingProblem::node_state(int chain, int j, const nlp::Point& q) const {
  if (j == 0) return values_of(chain, q, false).s0;
  const double* s = q.data() + layout_.chains[chain].offset[j];
  return {s, s + model().states};
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
    begin(pass);
    evaluate_first_nodes(pass);
    evaluate_final_nodes(pass);
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
