#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compile/compiled_model.hpp"
#include "integrate/record.hpp"
#include "model/noise.hpp"
#include "model/problem.hpp"
#include "nlp/problem.hpp"
#include "shooting/cost.hpp"
#include "shooting/engine.hpp"
#include "shooting/experiment_values.hpp"
#include "shooting/grid.hpp"
#include "shooting/plan.hpp"

namespace salvo::shooting {

struct ShootingOptions {
  model::Integrator integrator = model::Dopri5{};
  model::Derivatives derivatives = model::Derivatives::automatic;  // of the Jacobian blocks
  ThetaProductsBy theta_products = ThetaProductsBy::automatic;
  int lanes = 0;           // 1 or 4; 0: by the number of intervals
  EngineOptions engine{};  // of a problem that makes its own
  Rules rules{};
};

struct PassRoom;   // buffers of one evaluation
struct Pass;       // one evaluation: what is wanted, where it goes, what went wrong
struct PassPart;   // some of its packs
struct PassAsked;  // one evaluation as another process tells of it

// min -log(likelihood * prior) over q = (theta, v) subject to G_j = X_j - s_{j+1} = 0, on the given grids.
// `problem` must outlive this object. Nothing in it changes once it is made: evaluations may run at the same time from
// several threads, and share the engine alone.
class ShootingProblem final : public nlp::Problem {
 public:
  ShootingProblem(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model,
                  std::vector<Grid> grids, ShootingOptions options);
  // On an engine that others use too, those of the same fit on other nodes; and with what is made once for all of them.
  ShootingProblem(const model::Problem& problem, std::shared_ptr<Engine> engine, std::vector<Grid> grids,
                  ShootingOptions options);
  ShootingProblem(std::shared_ptr<const Subject> subject, std::shared_ptr<Engine> engine, std::vector<Grid> grids,
                  ShootingOptions options);
  ~ShootingProblem() override;

  const nlp::Layout& layout() const override { return layout_; }
  std::vector<double> sizes(const nlp::Point& q) const override;
  using nlp::Problem::adjoint;
  using nlp::Problem::linearize;
  using nlp::Problem::values;
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override;
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override;
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request& request, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override;
  // The products refer to this object.
  nlp::Evaluation linearize_nodes(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                                  std::unique_ptr<nlp::Products>& by_theta) const override;

  // Blocks for an evaluation whose memory somebody else has left. Their numbers mean nothing.
  nlp::Blocks used_blocks() const;
  void leave(nlp::Blocks blocks) const;

  // The problem on other nodes, with the engine of this one.
  std::unique_ptr<ShootingProblem> on(std::vector<Grid> grids) const;
  // Along one unbroken trajectory for each experiment. Constraints of states hold at nodes, of which it has none: they
  // are left out.
  std::unique_ptr<ShootingProblem> on_one_trajectory() const;

  const model::Problem& problem() const { return problem_; }
  const compile::CompiledModel& model() const { return engine_->model(); }
  const std::shared_ptr<Engine>& engine() const { return engine_; }
  const std::vector<Grid>& grids() const { return grids_; }
  const UnknownNames& names() const { return subject_->names; }
  const ShootingOptions& options() const { return options_; }
  const StopFlag* stop() const { return engine_->options().stop; }
  bool is_stopped() const { return engine_->is_stopped(); }
  // What is small against the data of every observable: rows that are ratios do not look below it.
  const std::vector<double>& small_values() const { return subject_->small_values; }
  // What each constraint row stands for, in the order of nlp::each_constraints.
  const std::vector<PlannedConstraint>& constraint_rows() const { return plan_.constraints; }
  // What each row of the objective stands for, chain by chain, block by block, without the priors of theta.
  std::vector<RowMeaning> rows_in_order() const { return row_meanings(*subject_, plan_); }
  model::Derivatives derivatives_in_use() const { return derivatives_.derivatives; }
  std::string why_derivatives() const { return in_words(derivatives_); }  // empty where they were asked for
  WorkCount work() const { return engine_->work(); }                      // on all nodes of this engine
  WorkCount work_on_these_nodes() const { return work() - work_before_; }
  // What one iteration takes, if all trajectories together take so many stages.
  double iteration_work(double stages) const;
  // Stages of all trajectories together, at full precision, after those at this accuracy.
  double stages_to_come(double accuracy) const;

  // p and s_0 of the chain's experiment at q.
  ExperimentValues values_of(int chain, const nlp::Point& q, bool with_derivatives) const;
  ExperimentValues values_of(int chain, const double* theta, const double* v0, bool with_derivatives) const;
  // The state at node j of a chain.
  std::vector<double> node_state(int chain, int j, const nlp::Point& q) const;
  // From values that are known already: those of an experiment that begins at rest take long.
  std::vector<double> node_state(int chain, int j, const nlp::Point& q, const ExperimentValues& values) const;
  // Puts a state into the unknowns of a node after the first.
  void put_node_state(int chain, int j, std::span<const double> state, nlp::Point& q) const;
  // What the point says of every measurement, in the order of Problem::measurements.
  struct Predicted {
    double simulation = 0;
    double sigma = 0;
  };
  nlp::Evaluation predict(const nlp::Point& q, const nlp::Request& request, std::vector<Predicted>& out) const;
  // Both at once, for whoever wants both: the trajectories are the same.
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                         std::vector<Predicted>& predicted) const;
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                            std::vector<Predicted>& predicted) const;
  // What the noise law makes of it. It is not stored, or long data would be of many times the size.
  model::NoiseRow noise_row(int measurement, const Predicted& predicted) const;
  // What the packs of one part come to, as bytes for the process that has asked; empty where they cannot be computed.
  std::string answer(const PassAsked& asked, const PassPart& part) const;
  // Puts every node where the trajectory before it ends, so that there are no gaps; false where one fails.
  bool join(nlp::Point& q) const;

 private:
  template <int W>
  class PackRun;  // W intervals of one evaluation
  class SweptProducts;

  std::unique_ptr<ShootingProblem> on(std::vector<Grid> grids, std::shared_ptr<const Subject> subject) const;
  nlp::Evaluation run(Pass& pass) const;
  void choose_code(Pass& pass) const;
  void begin(Pass& pass, const std::vector<char>& left_out = {}) const;
  void run_intervals(Pass& pass) const;
  void run_part(Pass& pass, const PassPart& part) const;
  template <int W>
  void run_packs(Pass& pass) const;
  bool is_worth_sharing(const Pass& pass) const;
  void run_shared(Pass& pass) const;
  PassAsked asked_of_others(const Pass& pass) const;
  std::vector<int> slots_of(const Pass& pass, const PassPart& part) const;
  bool take(const std::string& answer, const PassPart& part, Pass& pass) const;
  void begin_storing(Pass& pass) const;
  bool may_be_packed(const Pass& pass) const;
  void evaluate_experiments(const nlp::Point& q, bool with_derivatives, PassRoom& room,
                            const std::vector<char>& left_out = {}) const;
  void evaluate_first_nodes(Pass& pass) const;
  void evaluate_final_nodes(Pass& pass) const;
  void evaluate_priors(Pass& pass) const;
  void evaluate_theta_priors(Pass& pass) const;
  void evaluate_initial_priors(Pass& pass) const;
  nlp::Evaluation evaluate_constraints(Pass& pass) const;
  nlp::Evaluation first_trouble(const Pass& pass) const;
  nlp::Evaluation sum_up(Pass& pass) const;
  double largest_gap(const Pass& pass) const;
  double largest_local_gap(const Pass& pass) const;
  Workload workload() const { return {model(), layout_, plan_, options_.rules}; }
  compile::Wanted wanted_for(const Pass& pass) const;
  void write_sizes(const nlp::Point& q, PassRoom& room) const;

  const model::Problem& problem_;
  std::shared_ptr<Engine> engine_;
  WorkCount work_before_;  // of the engine, on other nodes
  std::vector<Grid> grids_;
  ShootingOptions options_;
  std::shared_ptr<const Subject> subject_;
  nlp::Layout layout_;
  Plan plan_;
  DerivativesChoice derivatives_;
  ThetaProductsBy theta_products_;
};

}  // namespace salvo::shooting
