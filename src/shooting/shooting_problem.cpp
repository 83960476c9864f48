#include "shooting/shooting_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "integrate/work.hpp"
#include "nlp/work.hpp"
#include "shooting/pass.hpp"

namespace salvo::shooting {

namespace {

// On one interval. A pack of four would keep four times as many of them as there are, which is worse than to do without
// machine code that was made for packs.
constexpr std::size_t many_steps = 100'000;

}  // namespace

ShootingProblem::ShootingProblem(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model,
                                 std::vector<Grid> grids, ShootingOptions options)
    : problem_(problem),
      model_(std::move(model)),
      grids_(std::move(grids)),
      options_(options),
      names_(unknown_names(problem)),
      layout_(make_layout(problem, *model_, grids_, names_)),
      plan_(make_plan(problem, *model_, grids_, names_)) {
  if (!options_.buffers) options_.buffers = make_buffers();
  // Two in a pack of four already take little more than one of them alone.
  if (options_.lanes == 0) options_.lanes = plan_.intervals.size() >= 2 ? 4 : 1;
  for (const Grid& grid : grids_)
    acting_.push_back({acting_thetas(problem_, *model_, names_, grid.experiment, true),
                       acting_thetas(problem_, *model_, names_, grid.experiment, false)});
  for (const PlannedInterval& interval : plan_.intervals) {
    const int knots = model_->knots_between(grids_[interval.chain].experiment, interval.begin, interval.stops.back());
    most_stops_ = std::max(most_stops_, interval.stops.size() + knots);
  }
  choose_derivatives();
  choose_theta_products();
}

ShootingProblem::~ShootingProblem() = default;

std::shared_ptr<Buffers> make_buffers() { return std::make_shared<Buffers>(); }

// v_j and the thetas that act.
long ShootingProblem::tangent_columns(const PlannedInterval& interval) const {
  const Acting& acting = acting_[interval.chain];
  return layout_.chains[interval.chain].size[interval.j] + (interval.j == 0 ? acting.from_start : acting.from_nodes);
}

int ShootingProblem::gap_rows(const PlannedInterval& interval) const {
  return interval.j < layout_.chains[interval.chain].links() ? model_->states : 0;
}

// Tangents sweep forward what acts; adjoints sweep one scalar back for each gap component and each row measured inside.
void ShootingProblem::choose_derivatives() {
  derivatives_ = options_.derivatives;
  if (!model_->has_jacobian) derivatives_ = model::Derivatives::adjoint;
  if (derivatives_ != model::Derivatives::automatic) return;
  int scalars = 0;
  long columns = 0;
  for (const PlannedInterval& interval : plan_.intervals) {
    scalars = std::max(scalars, gap_rows(interval) + interval.inner_rows);
    columns = std::max(columns, tangent_columns(interval));
  }
  const double tangents = static_cast<double>(integrate::tangent_work(*model_, columns));
  const double adjoints = static_cast<double>(integrate::adjoint_work(*model_, scalars));
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
      pass.gradients == nullptr && !forward && integrate::adjoints_share_jacobian(*model_, model_->states);
  return {.lanes = options_.lanes,
          .tangents = forward,
          .jacobian = by_jacobian,
          .vjp = !forward && !by_jacobian,
          .stiff = stiff,
          .whole_steps = integrate::whole_steps_of(pass.integrator)};
}

// Like skis that are rented until the rent has come to their price: the interpreter runs until its work has come to
// that of making machine code. Where many fits will be alike, their work is foreseen.
bool ShootingProblem::is_native_worthwhile(const compile::Wanted& wanted) const {
  constexpr double usual_stages = 60;  // of an interval, until some have been integrated
  constexpr double usual_passes = 20;  // of a fit
  if (options_.code != Code::automatic) return options_.code == Code::native;
  const double price = compile::price_of_machine_code(*model_, wanted);
  const double of_stage =
      model_->rhs.instruction_count() +
      (wanted.tangents || wanted.jacobian ? model_->jacobian.instruction_count() : model_->vjp.instruction_count());
  if (static_cast<double>(rhs_) * of_stage >= price) return true;
  const double stages =
      trajectories_ > 0 ? static_cast<double>(rhs_) / static_cast<double>(trajectories_) : usual_stages;
  const double foreseen = static_cast<double>(plan_.intervals.size()) * stages * usual_passes * of_stage;
  return options_.alike > 1 && options_.alike * foreseen >= price;
}

const compile::CompiledModel& ShootingProblem::model_for(const Pass& pass) const {
  const compile::Wanted wanted = wanted_for(pass);
  const std::lock_guard lock(guard_);
  auto found = native_.find(wanted);
  if (found == native_.end() && !pass.wants_derivatives())  // any of this kind will do
    found = std::find_if(native_.begin(), native_.end(),
                         [&](const auto& made) { return made.first.stiff == wanted.stiff; });
  if (found == native_.end() && model_->accelerator && is_native_worthwhile(wanted)) {
    const compile::Accelerated made = model_->accelerator->accelerated(*model_, wanted, options_.stop);
    if (!made.model && is_stopped()) return *model_;
    found = native_.emplace(wanted, made.model).first;
    code_in_words_ = made.model ? fmt::format("machine code for {} after {} evaluations of the equations",
                                              counted(options_.lanes, "lane"), rhs_.load())
                                : "no machine code: " + made.trouble;
  }
  return found == native_.end() || !found->second ? *model_ : *found->second;
}

std::unique_ptr<ShootingProblem> ShootingProblem::on(std::vector<Grid> grids) const {
  ShootingOptions options = options_;
  if (grids.size() == 1 && grids[0].intervals() == 1 && problem_.measurements.size() > many_steps) options.lanes = 1;
  auto other = std::make_unique<ShootingProblem>(problem_, model_, std::move(grids), options);
  if (other->options_.lanes == options_.lanes) {
    const std::lock_guard lock(guard_);
    other->native_ = native_;
    other->code_in_words_ = code_in_words_;
  }
  return other;
}

std::string ShootingProblem::code_in_words() const {
  const std::lock_guard lock(guard_);
  return code_in_words_;
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
    matrices += static_cast<double>(integrate::adjoint_work(*model_, gap_rows(interval) + interval.inner_rows));
    sweeps +=
        static_cast<double>(integrate::products_work(*model_, std::min<long>(usual_products, layout_.thetas + 1)));
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
                            ? integrate::tangent_work(*model_, tangent_columns(interval))
                            : integrate::adjoint_work(*model_, gap_rows(interval) + interval.inner_rows);
      longest = std::max(longest, part * static_cast<double>(work));
      length += part;
      rows += gap_rows(interval) + interval.inner_rows;
    }
    sweeps += longest * options_.lanes * price_of_a_lane;
  }
  return (length > 0 ? stages * sweeps / length : 0) + nlp::elimination_work(rows, model_->states, layout_.thetas);
}

std::vector<double> ShootingProblem::sizes(const nlp::Point& q) const {
  const auto room = options_.buffers->rooms.borrow();
  evaluate_experiments(q, false, *room);
  write_sizes(q, *room);
  return (*room).sizes;
}

void ShootingProblem::forget_rests() const { (*options_.buffers->rooms.borrow()).experiment.rests = {}; }

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
    for (int i = 0; i < model_->states; ++i) {
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
  room.experiment.rests.alike = options_.alike;
  for (std::size_t c = 0; c < layout_.chains.size(); ++c)
    write_experiment_values(problem_, *model_, names_, grids_[c].experiment, q.data(),
                            q.data() + layout_.chains[c].offset[0], with_derivatives, room.experiment,
                            room.experiments[c]);
  rhs_ += room.experiment.rest_evaluations;
}

ExperimentValues ShootingProblem::values_of(int chain, const nlp::Point& q, bool with_derivatives) const {
  return experiment_values(problem_, *model_, names_, grids_[chain].experiment, q.data(),
                           q.data() + layout_.chains[chain].offset[0], with_derivatives);
}

std::vector<double> ShootingProblem::node_state(int chain, int j, const nlp::Point& q) const {
  if (j == 0) return values_of(chain, q, false).s0;
  const double* s = q.data() + layout_.chains[chain].offset[j];
  return {s, s + model_->states};
}

WorkCount ShootingProblem::work() const { return {trajectories_, tangents_, adjoints_, rhs_}; }

// What the last evaluation saw is written over: long data are kept once.
nlp::Evaluation ShootingProblem::values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const {
  const auto room = options_.buffers->rooms.borrow();
  std::vector<Predicted> predicted = take_last_values();
  predicted.resize(problem_.measurements.size());
  Pass pass{.q = q, .request = request, .room = *room, .blocks = &out, .predicted = &predicted};
  nlp::Evaluation evaluation = run(pass);
  const std::lock_guard lock(guard_);
  last_values_.is_known = evaluation.ok;
  last_values_.q = q;
  last_values_.request = request;
  last_values_.predicted = std::move(predicted);
  return evaluation;
}

std::vector<ShootingProblem::Predicted> ShootingProblem::take_last_values() const {
  const std::lock_guard lock(guard_);
  last_values_.is_known = false;
  return std::move(last_values_.predicted);
}

nlp::Evaluation ShootingProblem::linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const {
  const auto room = options_.buffers->rooms.borrow();
  Pass pass{.q = q, .request = request, .room = *room, .blocks = &out, .jacobians = true};
  return run(pass);
}

nlp::Evaluation ShootingProblem::adjoint(const nlp::Point& q, const nlp::Request& request,
                                         const nlp::GapWeights& weights, nlp::Gradients& out) const {
  const auto room = options_.buffers->rooms.borrow();
  Pass pass{.q = q, .request = request, .room = *room, .gradients = &out, .weights = &weights};
  return run(pass);
}

// A solver has just been at the point that it returns; what it saw there is handed over, not copied. Where everything
// is measured at nodes, no trajectory is needed.
nlp::Evaluation ShootingProblem::predict(const nlp::Point& q, const nlp::Request& request,
                                         std::vector<Predicted>& out) const {
  if (const std::lock_guard lock(guard_);
      last_values_.is_known && last_values_.q == q && last_values_.request == request) {
    last_values_.is_known = false;
    out = std::move(last_values_.predicted);
    return {};
  }
  const auto room = options_.buffers->rooms.borrow();
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
