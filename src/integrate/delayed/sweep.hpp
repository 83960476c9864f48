#pragma once

#include <optional>
#include <span>
#include <vector>

#include "integrate/consistency.hpp"
#include "integrate/delayed/implicit_step.hpp"
#include "integrate/delayed/past.hpp"
#include "integrate/integrator.hpp"

namespace salvo::integrate {

// A recorded trajectory that looks into the past, and the derivatives of its steps: what its tangents and its adjoint
// share.
class DelayedSteps {
 public:
  struct Of {
    const compile::CompiledModel& model;
    const DenseMethod& method;
    const DelayedPath& path;
    const std::vector<Jump>& jumps;
    const Launch<1>& launch;
  };
  explicit DelayedSteps(const Of& of);

  // f, its derivatives and what delayed values depend on, at one stage.
  struct Stage {
    std::vector<double> nonzeros{};  // of f_x, f_p, f_z, f_t
    std::vector<Past::Glance> glances{};
    // Of a linearly implicit step: the second derivatives of J h k_i + gamma_i h f_T where it begins, as
    // compile::CurvatureOfPast has them, and J k_i + gamma_i f_T, by which the side of stage i moves with h.
    std::vector<double> curvature{};
    std::vector<double> by_length{};
  };
  // At every stage of a step; the first one of a step that goes on smoothly is the last of the step before. The matrix
  // of a linearly implicit step is factorised.
  void linearize(int step);
  const Stage& stage(int i) const { return stages_[i]; }
  bool goes_on(int step) const { return path().points[step].is_smooth; }
  ImplicitStep* implicit() { return implicit_ ? &*implicit_ : nullptr; }  // null: the method is explicit
  const compile::CurvatureOfPast& curvature() const { return *curvature_; }

  // How the end of the linearized step and its slopes k_i move with the time of that end.
  struct ByEnd {
    std::vector<double> x{};
    std::vector<double> k{};  // [stage][state]
  };
  const ByEnd& by_end(int step);

  // A jump's derivatives, with what is seen of the past at its point.
  struct JumpSlopes {
    std::vector<double> numbers{};
    std::vector<Past::Glance> glances{};
  };
  const JumpSlopes& switching(int point, int function, const double* x);
  const JumpSlopes& event(int point, const Jump& jump);
  // Algebraic variables after a jump: linearized there, with what is seen of the past.
  Consistency& roots(int point, const Jump& jump);
  bool has_roots() const { return !of_.model.algebraic.empty(); }
  // Every look at a point.
  const std::vector<Past::Glance>& look(int point);

  const compile::CompiledModel& model() const { return of_.model; }
  const compile::Delays& delays() const { return *of_.model.delays; }
  const DelayedPath& path() const { return of_.path; }
  const std::vector<Jump>& jumps() const { return of_.jumps; }
  const DenseMethod& method() const { return of_.method; }
  Past& past() { return past_; }
  const std::vector<double>& tau_by_p() const { return tau_by_p_; }
  int d() const { return of_.model.states; }
  int stages() const { return of_.method.stages(); }

 private:
  void go_by(const std::shared_ptr<const std::vector<double>>& frozen);
  void see(const std::vector<Past::Glance>& glances);
  void glance(double t, int point, int steps, std::vector<Past::Glance>& out);

  void linearize_begin(int step);
  void form_stage(int step, int i);

  Of of_;
  LaneModel lane_;
  Past past_;
  std::optional<ImplicitStep> implicit_{};
  const compile::CurvatureOfPast* curvature_ = nullptr;
  std::vector<Stage> stages_;
  std::vector<double> X_, tau_by_p_;
  std::vector<double> f_T_{}, u_{}, weights_{}, work_{};
  std::vector<Past::Glance> glances_{};
  Consistency consistency_;
  ByEnd by_end_{};
  JumpSlopes slopes_{};
};

// T(i, c) = d x_i / d column c, forwards.
class DelayedTangent {
 public:
  using Sink = std::function<void(int stop, const double* x, const double* delayed)>;  // [number][column]
  // dx0 and dp: [state][column], [active parameter][column].
  DelayedTangent(DelayedSteps& steps, int columns, std::vector<double> dx0, std::vector<double> dp);
  void sweep(const Sink& sink, const StopFlag* stop);

 private:
  void pass_point(int point, const Sink& sink);
  void cross(int point);
  void jump(int point, const Jump& jump);
  void event(int point, const Jump& jump);
  void roots(int point, const Jump& jump);
  void step(int step);
  void stage(int step, int i);
  void form_stage(int step, const double* weights);
  void add_slopes(int step, int i);
  void add_second(int step, int i);
  void solve(double* dk);
  // dZ of a glance where its time moves by ds, and d(dZ/du).
  void add_glance(const Past::Glance& glance, const double* ds, double* out) const;
  void add_speed(const Past::Glance& glance, const double* ds, double* out) const;
  double* moved(int point) { return dt_.data() + static_cast<std::size_t>(point) * c_; }
  double* slope(int step, int stage) { return dk_[step].data() + static_cast<std::size_t>(stage) * d_ * c_; }

  DelayedSteps& of_;
  int d_, c_, stages_;
  std::vector<double> dx0_, dp_, dtau_, T_;
  std::vector<double> dt_;                    // [point][column]
  std::vector<std::vector<double>> dx_, dk_;  // of every step: [state][column], [stage][state][column]
  mutable std::vector<double> du_;
  std::vector<double> dX_, ds_, dZ_;
  std::vector<double> dZ_at_begin_{}, dv_at_begin_{}, column_{};  // of linearly implicit steps
};

// The derivatives of scalars by x0 and by p, backwards.
class DelayedAdjoint {
 public:
  // Adds to (by_x, by_delayed)[number][scalar] at a stop.
  using Injection = std::function<void(int stop, double* by_x, double* by_delayed)>;
  DelayedAdjoint(DelayedSteps& steps, int scalars);
  void sweep(const Injection& inject, const StopFlag* stop);

  const std::vector<double>& by_x0() const { return by_x0_; }  // [state][scalar]
  const std::vector<double>& by_p() const { return by_p_; }    // [active parameter][scalar]

 private:
  void pass_point(int point, const Injection& inject);
  void cross(int point);
  void jump(int point, const Jump& jump);
  void event(int point, const Jump& jump);
  void roots(int point, const Jump& jump);
  void step(int step);
  void step_explicitly(int step);
  void step_implicitly(int step);
  void step_nowhere(int step);
  void stage(int step, int i);
  void second(int step, int i);
  void by_length(int step, const double* weights, const double* by_x);
  void resolve(int point);
  // The adjoint Zb of a glance; its share by the time of the glance is added to `by_time`. That of dZ/du likewise.
  void add_glance(const Past::Glance& glance, const double* Zb, double* by_time);
  void add_speed(const Past::Glance& glance, const double* vb, double* by_time);
  std::vector<double>& pending_x(int step);
  std::vector<double>& pending_k(int step);
  double* by_time(int point) { return tb_.data() + static_cast<std::size_t>(point) * c_; }

  DelayedSteps& of_;
  int d_, c_, stages_;
  std::vector<double> by_x0_, by_p_, xb_, by_tau_;
  std::vector<double> tb_;                          // [point][scalar]
  std::vector<std::vector<double>> xb_of_, kb_of_;  // what later looks have left at each step
  std::vector<double> spare_x_, spare_k_;
  std::vector<double> hb_, Xb_, Zb_, Zb_of_all_, sb_;
  std::vector<double> Zb_at_begin_{}, vb_at_begin_{}, column_{};  // of linearly implicit steps
};

}  // namespace salvo::integrate
