#include "shooting/cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/work.hpp"
#include "nlp/work.hpp"

namespace salvo::shooting {

int Workload::gap_rows(const PlannedInterval& interval) const {
  return interval.j < layout.chains[interval.chain].links() ? model.states : 0;
}

long Workload::columns(const PlannedInterval& interval) const {
  const Acting& acting = plan.acting[interval.chain];
  return layout.chains[interval.chain].size[interval.j] + (interval.j == 0 ? acting.from_start : acting.from_nodes);
}

DerivativesChoice choose_derivatives(const Workload& load, model::Derivatives wanted) {
  if (!load.model.has_jacobian) return {model::Derivatives::adjoint};
  if (wanted != model::Derivatives::automatic) return {wanted};
  int scalars = 0;
  long columns = 0;
  for (const PlannedInterval& interval : load.plan.intervals) {
    scalars = std::max(scalars, load.scalars(interval));
    columns = std::max(columns, load.columns(interval));
  }
  const auto tangents = static_cast<double>(integrate::tangent_work(load.model, columns));
  const auto adjoints = static_cast<double>(integrate::adjoint_work(load.model, scalars));
  const bool forward = tangents <= adjoints;
  return {forward ? model::Derivatives::tangent : model::Derivatives::adjoint,
          std::min(tangents, adjoints) / std::max(tangents, adjoints)};
}

std::string in_words(const DerivativesChoice& choice) {
  if (!choice.share) return {};
  return fmt::format("{:.2g} times the work of {}", *choice.share,
                     choice.derivatives == model::Derivatives::tangent ? "adjoints" : "tangents");
}

// Matrices take one adjoint for each row, whatever the number of products.
ThetaProductsBy choose_theta_products(const Workload& load, ThetaProductsBy wanted, int prior_rows) {
  if (wanted != ThetaProductsBy::automatic) return wanted;
  const long products = std::min(static_cast<long>(load.rules.usual_products), load.layout.thetas + 1L);
  double rows = prior_rows;
  for (const auto& chain : load.plan.row_count)
    for (const int count : chain) rows += count;
  double matrices = 0;
  double sweeps = 0;
  for (const PlannedInterval& interval : load.plan.intervals) {
    rows += load.gap_rows(interval);
    matrices += static_cast<double>(integrate::adjoint_work(load.model, load.scalars(interval)));
    sweeps += static_cast<double>(integrate::products_work(load.model, products));
  }
  const bool fits = rows * load.layout.thetas * sizeof(double) <= static_cast<double>(stored_bytes);
  return matrices <= sweeps && fits ? ThetaProductsBy::matrices : ThetaProductsBy::sweeps;
}

// A pack is as long under way as its longest interval.
double iteration_work(const Workload& load, model::Derivatives derivatives, int lanes, double stages) {
  const std::vector<PlannedInterval>& intervals = load.plan.intervals;
  const double lane_price = lanes == 1 ? 1 : load.rules.lane_price;  // with all of them in use
  double sweeps = 0;
  double length = 0;
  double rows = 0;
  for (std::size_t first = 0; first < intervals.size(); first += lanes) {
    double longest = 0;
    for (std::size_t n = first; n < std::min(first + lanes, intervals.size()); ++n) {
      const double part = intervals[n].stops.back() - intervals[n].begin;
      const long work = derivatives == model::Derivatives::tangent
                            ? integrate::tangent_work(load.model, load.columns(intervals[n]))
                            : integrate::adjoint_work(load.model, load.scalars(intervals[n]));
      longest = std::max(longest, part * static_cast<double>(work));
      length += part;
      rows += load.scalars(intervals[n]);
    }
    sweeps += longest * lanes * lane_price;
  }
  return (length > 0 ? stages * sweeps / length : 0) +
         nlp::elimination_work(rows, load.model.states, load.layout.thetas);
}

// A linearisation by tangents or by one adjoint for each gap, the elimination of the nodes, and a dense problem for
// theta.
double gauss_newton_work(const model::Problem& problem, const compile::CompiledModel& model, double intervals,
                         const Rules& rules) {
  const double d = model.states;
  const double m = model.thetas;
  const auto rows = static_cast<double>(problem.measurements.size());
  const auto adjoints = static_cast<double>(integrate::adjoint_work(model, model.states));
  const auto tangents = static_cast<double>(integrate::tangent_work(model));
  const double sweeps = model.has_jacobian ? std::min(adjoints, tangents) : adjoints;
  return intervals * (rules.usual_stages * sweeps + nlp::elimination_work(d, d, m)) + 2 * rows * m * std::min(rows, m);
}

// Derivatives by nodes and products with those by theta, or, where that is less, all of them by adjoints; the squares
// of the rows at each node; and the elimination of the nodes.
double lagrangian_work(const model::Problem& problem, const compile::CompiledModel& model, double intervals,
                       const Rules& rules) {
  const double d = model.states;
  const auto rows = static_cast<double>(problem.measurements.size());
  const long products = std::min(static_cast<long>(rules.usual_products), model.thetas + 1L);
  const auto sweeps = static_cast<double>(
      std::min(integrate::products_work(model, products), integrate::adjoint_work(model, model.states)));
  const double elimination = 36 * d * d * d;
  return intervals * (rules.usual_stages * sweeps + elimination) + 2 * rows * d * std::min(rows, d);
}

double stages_of_an_interval(const WorkCount& so_far, const Rules& rules) {
  return so_far.trajectories > 0 ? static_cast<double>(so_far.rhs) / static_cast<double>(so_far.trajectories)
                                 : rules.usual_stages;
}

// Like skis that are rented until the rent has come to their price.
bool is_machine_code_worthwhile(const MachineCodeQuestion& question, const Rules& rules) {
  const auto& [model, wanted, so_far, intervals, expected_reuse] = question;
  const double price = compile::price_of_machine_code(model, wanted);
  const double of_stage =
      model.rhs.instruction_count() +
      (wanted.tangents || wanted.jacobian ? model.jacobian.instruction_count() : model.vjp.instruction_count());
  if (static_cast<double>(so_far.rhs) * of_stage >= price) return true;
  const double expected =
      static_cast<double>(intervals) * stages_of_an_interval(so_far, rules) * rules.usual_passes * of_stage;
  return expected_reuse > 1 && expected_reuse * expected >= price;
}

bool is_machine_code_worthwhile(const compile::CompiledModel& resting, const compile::Wanted& wanted,
                                double evaluations) {
  return evaluations * resting.rhs.instruction_count() >= compile::price_of_machine_code(resting, wanted);
}

// An interval's worth of them for each steady state.
double expected_rest_evaluations(int expected_reuse, const Rules& rules) {
  return expected_reuse > 1 ? expected_reuse * rules.usual_passes * rules.usual_stages : 0;
}

}  // namespace salvo::shooting
