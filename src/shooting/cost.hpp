#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile/accelerate.hpp"
#include "compile/compiled_model.hpp"
#include "model/choices.hpp"
#include "model/problem.hpp"
#include "nlp/problem.hpp"
#include "shooting/engine.hpp"
#include "shooting/plan.hpp"
#include "shooting/rules.hpp"

// What evaluations cost: multiply-adds, counted and never timed, so that choices are the same on every machine.
namespace salvo::shooting {

// How products with the derivatives by theta are made: from matrices that were written down, or by sweeps each time.
enum class ThetaProductsBy { automatic, matrices, sweeps };

// Bytes that one point may store for products with derivatives by theta: matrices, or the stages of all steps. Beyond
// them matrices give way to sweeps, and stages are computed again, which takes longer and gives the same numbers.
inline constexpr std::size_t stored_bytes = std::size_t{1} << 30;

// A problem on its nodes, as far as costs go.
struct Workload {
  const compile::CompiledModel& model;
  const nlp::Layout& layout;
  const Plan& plan;
  const Rules& rules;

  int gap_rows(const PlannedInterval& interval) const;  // none where no node follows
  // Scalars that a sweep back takes along: components of the gap, and rows measured inside.
  int scalars(const PlannedInterval& interval) const { return gap_rows(interval) + interval.inner_rows; }
  // Columns that a sweep forwards takes along: the unknowns of the node, and the thetas that act.
  long columns(const PlannedInterval& interval) const;
};

struct DerivativesChoice {
  model::Derivatives derivatives = model::Derivatives::tangent;
  std::optional<double> share{};  // of the work of the other kind; nothing where they were asked for
};
DerivativesChoice choose_derivatives(const Workload& load, model::Derivatives wanted);
std::string in_words(const DerivativesChoice& choice);
ThetaProductsBy choose_theta_products(const Workload& load, ThetaProductsBy wanted, int prior_rows);

// One linearisation and the elimination of its nodes, if all trajectories together take so many stages.
double iteration_work(const Workload& load, model::Derivatives derivatives, int lanes, double stages);

// An iteration of each method on so many intervals of which nothing else is known yet.
double gauss_newton_work(const model::Problem& problem, const compile::CompiledModel& model, double intervals,
                         const Rules& rules = {});
double lagrangian_work(const model::Problem& problem, const compile::CompiledModel& model, double intervals,
                       const Rules& rules = {});

// Right-hand sides on one interval: as many as there were, or the usual number.
double stages_of_an_interval(const WorkCount& so_far, const Rules& rules);

// Whether machine code is worth its price: once the interpreter has worked as much, or will for fits that are expected.
struct MachineCodeQuestion {
  const compile::CompiledModel& model;
  const compile::Wanted& wanted;
  WorkCount so_far{};
  std::size_t intervals = 0;
  int expected_reuse = 1;
};
bool is_machine_code_worthwhile(const MachineCodeQuestion& question, const Rules& rules);
// A model that comes to rest is worth it after so many evaluations of its equations, expected ones included.
bool is_machine_code_worthwhile(const compile::CompiledModel& resting, const compile::Wanted& wanted,
                                double evaluations);
double expected_rest_evaluations(int expected_reuse, const Rules& rules);

}  // namespace salvo::shooting
