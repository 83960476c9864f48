#pragma once

#include <span>
#include <vector>

#include "integrate/delayed/dense_output.hpp"
#include "integrate/delayed/path.hpp"
#include "integrate/lane_model.hpp"

namespace salvo::integrate {

// What a trajectory was at earlier times: the interpolant of its steps, and its history before the start.
//   Z = x_m + h_m sum_i beta_i(theta) k_i,   theta = (u - t_m)/h_m,   u = s - tau
class Past {
 public:
  // Where one delayed value is read, and what it depends on.
  struct Glance {
    int look = 0;
    int step = -1;  // of the path; -1: history
    double u = 0;
    double theta = 0;
    double value = 0;
    double speed = 0;          // dZ/du
    double by_length = 0;      // dZ/dh_m where u and t_m stand still
    DenseWeights weights{};    // of k_i^m, each times h_m
    bool has_weights = false;  // a step without length has none
  };

  // `x0` is the state before anything happens at the start. Both stand `stride` apart, as numbers of a lane do.
  Past(const compile::CompiledModel& model, const DenseMethod& method, const DelayedPath& path);
  void take(const double* p, const double* x0, int stride, int experiment, bool rests);

  const compile::Delays& of() const { return of_; }
  int count() const { return of_.count(); }
  const DenseMethod& method() const { return method_; }
  std::vector<double> delays();  // tau_k
  // d tau_k / d p, non-zeros as in Delays::tau_by_p.
  std::vector<double> delays_by_p();

  // What a look shows at time s after this point, where so many steps are known.
  Glance look(int look, double s, int point, int steps);
  // phi_p and phi_t behind it, where a glance has fallen on a history that is a formula.
  const std::vector<double>& history_slopes(const Glance& glance);
  bool is_initial(const Glance& glance) const { return rests_ || of_.history[of_.looks[glance.look].state].is_initial; }
  const compile::HistoryKernel& history_of(const Glance& glance) const {
    return of_.history[of_.looks[glance.look].state];
  }
  // The weights of k_i^m in a glance, each times h_m; none where the step has no length.
  std::span<const double> weights(const Glance& glance) const {
    return std::span(glance.weights).first(glance.has_weights ? method_.stages() : 0);
  }
  // How dZ/du moves in turn: with u, with the length of its step, with k_i^m, and in a history with phi_tp, phi_tt.
  struct SpeedSlopes {
    double by_time = 0;
    double by_length = 0;
    DenseWeights weights{};
    bool has_weights = false;
  };
  SpeedSlopes speed_slopes(const Glance& glance) const;
  const std::vector<double>& history_slopes_by_time(const Glance& glance);
  // Its value alone.
  double value(int look, double s, int point, int steps);

 private:
  int find(int delay, double u, int segment, int steps);
  void read_history(Glance& glance);
  void read_step(Glance& glance);
  void run(const compile::Kernel& kernel, double t, double* out);
  const std::vector<double>& run_history(const compile::Kernel& kernel, double u);

  const compile::CompiledModel& model_;
  const compile::Delays& of_;
  const DenseMethod& method_;
  const DelayedPath& path_;
  int experiment_ = 0;
  bool rests_ = false;
  std::vector<double> p_, x0_, work_;
  std::vector<double> slopes_;
  std::vector<int> last_;  // step that each delay read last
};

}  // namespace salvo::integrate
