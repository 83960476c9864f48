#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/stop_flag.hpp"
#include "compile/compiled_model.hpp"
#include "model/problem.hpp"
#include "nlp/problem.hpp"
#include "shooting/known_rests.hpp"
#include "shooting/node_map.hpp"

namespace salvo::shooting {

// What theta (on its scale) and v_0 mean for one experiment: p and s_0 with their derivatives.
struct ExperimentValues {
  std::vector<double> p{};           // parameters of the kernels
  std::vector<double> s0{};          // the whole initial state
  std::vector<Slope> p_by_theta{};   // row: active parameter
  std::vector<Slope> s0_by_theta{};  // row: state
  std::vector<Slope> s0_by_block{};  // row: state, column: index in v_0
  std::string trouble{};             // what is wrong with them, in words: there is no steady state to begin in
};

// Estimated parameters and initial values, in the order in which they stand in theta and v_0. Initial values with
// bounds, or named in constraints, or shared by experiments, stand in theta, behind the parameters, so that solvers
// meet bounds in theta only.
struct UnknownNames {
  std::vector<int> parameter{};  // index in Problem::parameters
  struct BoundedInitial {
    int experiment = 0;
    int state = 0;
  };
  std::vector<BoundedInitial> bounded_initial{};
  std::vector<std::vector<int>>
      initial{};  // per experiment: the states whose initial value is estimated, without bounds
  int thetas() const { return static_cast<int>(parameter.size() + bounded_initial.size()); }
};
// The k-th theta as the problem states it.
const model::Estimated& estimated_theta(const model::Problem& problem, const UnknownNames& names, int k);
UnknownNames unknown_names(const model::Problem& problem);

// How many thetas act on the trajectory of an experiment, from its start on or from a node further on.
int acting_thetas(const model::Problem& problem, const compile::CompiledModel& model, const UnknownNames& names,
                  int experiment, bool from_start);

// Buffers that evaluations use again.
struct ExperimentRoom {
  std::vector<double> user{}, slope{}, work{}, numbers{};
  struct {  // of the model at rest, the same for all its experiments
    std::shared_ptr<const compile::CompiledModel> model{};
    UnknownNames names{};
  } resting{};
  KnownRests rests{};
  double expected_evaluations = 0;  // KnownRests::Wish
  long rest_evaluations = 0;        // of the equations, on the way to steady states
  const StopFlag* stop = nullptr;   // once it is raised no steady state is looked for
};
// Where an experiment's values are wanted.
struct ExperimentPoint {
  const model::Problem& problem;
  const compile::CompiledModel& model;
  const UnknownNames& names;
  int experiment = 0;
  const double* theta = nullptr;
  const double* v0 = nullptr;
};
void write_experiment_values(const ExperimentPoint& point, bool with_derivatives, ExperimentRoom& room,
                             ExperimentValues& out);
ExperimentValues experiment_values(const model::Problem& problem, const compile::CompiledModel& model,
                                   const UnknownNames& names, int experiment, const double* theta, const double* v0,
                                   bool with_derivatives);

// Node j of the experiment's chain at q.
inline NodeMap node_map(const ExperimentValues& experiment, const nlp::Layout::Chain& chain, int j,
                        const nlp::Point& q) {
  if (j == 0) return {experiment.s0.data(), experiment.s0_by_block, experiment.s0_by_theta};
  return NodeMap::identity({q.data() + chain.offset[j], static_cast<std::size_t>(chain.size[j])});
}

}  // namespace salvo::shooting
