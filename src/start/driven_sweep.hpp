#pragma once

#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "start/driven_states.hpp"

namespace salvo::start {

// What a sweep leaves at each stop, stop by stop.
struct DrivenRecord {
  DrivenRecord(std::size_t stops, std::size_t state_count, std::size_t entry_count)
      : states(state_count),
        entries(entry_count),
        is_there(stops, 0),
        x(stops * states),
        increments(stops * states),
        tangent(stops * entries),
        increment_tangent(stops * entries) {}

  std::size_t states;
  std::size_t entries;
  std::vector<char> is_there;
  std::vector<double> x, increments, tangent, increment_tangent;
};

// Runge-Kutta steps of W parts of one experiment side by side, each from one stop to another. Arrays are lane-last.
template <int W>
class DrivenSweep {
 public:
  DrivenSweep(const compile::CompiledModel& model, const DrivenStates::Mesh& mesh,
              const shooting::ExperimentValues& values, const TangentPattern& pattern, int thetas, DrivenRecord& out);

  struct Part {
    int from = 0;  // stops
    int to = 0;
  };
  // False once a state is no number. At most W parts.
  bool run(std::span<const Part> parts);

 private:
  struct Lane {
    int step = 0;
    int last_step = 0;  // the first that is not taken
    int stop = 0;       // the next
  };
  void begin(int l, const Part& part);
  void restart(int l, int stop);
  void step();
  void stage(int half, double reach, double weight);
  void differentiate(double reach, double weight);
  void finish_step();
  bool record(int l);
  void follow_curve(int i, std::vector<double>& x) const;

  const compile::CompiledModel& model_;
  const DrivenStates::Mesh& mesh_;
  const shooting::ExperimentValues& values_;
  const TangentPattern& pattern_;
  int thetas_;
  DrivenRecord& out_;
  int states_;
  int used_ = 0;  // lanes
  Lane lanes_[W];
  double h_[W], t_[W];
  int at_[W];  // the point of the mesh at which the stage stands
  std::vector<double> parameter_, x_, stage_, f_, sum_, increments_, work_, jacobian_;
  std::vector<double> tangent_, stage_tangent_, k_, sum_tangent_, increment_tangent_;  // entries of the pattern
};

}  // namespace salvo::start
