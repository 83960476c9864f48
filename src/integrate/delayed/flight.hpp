#pragma once

#include <array>
#include <optional>
#include <vector>

#include "integrate/delayed/implicit_step.hpp"
#include "integrate/delayed/past.hpp"
#include "integrate/delayed/stiff_rule.hpp"
#include "integrate/integrator.hpp"
#include "integrate/step_rules.hpp"
#include "integrate/switchboard.hpp"

namespace salvo::integrate {

// Where a trajectory that looks into the past leaves what became of it.
struct DelayedRecord {
  DelayedPath& path;
  std::vector<Jump>& jumps;
  std::vector<double>& frozen;
  std::vector<int>& stop_slot;
  std::vector<double>& seen_at_stop;  // the state, then delayed values
  Ending& ending;
  int& steps;
  long& rhs;
  std::size_t frozen_budget = 0;
};

// The method of steps: no step is longer than the shortest delay, so that all it looks at has happened before it
// begins, and no stage looks into its own step. Steps end where something that was not smooth is seen again, tau after
// it happened; what a step reads lies on one side of it (docs/mathematics.md, section 25).
template <class StepRule>
class DelayedFlight {
 public:
  DelayedFlight(const compile::CompiledModel& model, const DenseMethod& method, const Launch<1>& launch,
                const DelayedRecord& record);
  void fly(StepRule rule);

  const double* look_ahead(const std::array<double, 1>& h);

 private:
  using One = std::array<double, 1>;
  using Kind = DelayedPath::Point::Kind;

  // Where it begins.
  bool take_delays();
  bool begin();
  void begin_rule();
  // One attempt.
  void attempt();
  void choose_step();
  void try_step();
  void try_implicit_step();
  void form_stage(const double* weights, double* to);
  void add_slopes(const double* weights, int count, double* to) const;
  bool is_stiff();
  bool may_stand(double error);
  bool is_watched_step_good(double end);
  void measure_by_neighbours();
  // What follows where it ends.
  void keep_step(double end);
  void pass(double t, bool at_stop);
  bool pass_switches(double t);
  bool pass_image(double t);
  void note_stop(double t);
  int next_image() const;
  double image_time(int delay) const;
  double without_rounding(double t) const;
  double next_known() const;
  // Points and segments.
  DelayedPath::Point& add_point(double t);
  void move_nowhere(const double* x);
  void add_jumps(double t, std::size_t from, bool has_arrived);
  void begin_segment(int order);
  int order_of(const Jump& jump) const;
  bool is_board_fine();
  void take_over_board();
  void go_by_board();
  void evaluate_anew();
  double* slope_here() { return implicit_ ? f_here_.data() : k_.data(); }
  // The equations.
  void see(double t, double* values, double* speeds);
  void eval(double t, const double* x, double* out);
  void velocity(double t, const double* x, double* out);
  void watch_roots();
  void fail(Outcome outcome, double t);

  const compile::CompiledModel& model_;
  const DenseMethod& method_;
  const Launch<1>& launch_;
  DelayedRecord record_;
  DelayedPath& path_;
  Past past_;
  std::optional<Switchboard> board_{};
  std::optional<ImplicitStep> implicit_{};
  // Of algebraic variables.
  struct Roots {
    LaneModel lane;
    Consistency consistency;
    Consistency::Determinant here{};
    bool may_be_another = true;  // where something has jumped
  };
  std::optional<Roots> roots_{};
  bool sees_roots_ = false;  // as they were: what jumps there is never seen smoother
  StepRule rule_{};
  typename StepRule::template Memory<1> memory_{}, memory_before_{};
  int d_;
  int stages_;
  double shortest_ = 0;  // delay
  double t_ = 0;
  double h_ = 0;
  double target_ = 0;
  bool lands_ = false;
  bool is_active_ = true;
  bool is_stuck_ = false;
  int attempts_ = 0;
  int rejected_ = 0;
  std::size_t next_stop_ = 0;
  std::vector<double> p_, work_, x_, x_new_, error_, absolute_, k_, stage_, f_room_, reading_, speeds_, nonzeros_;
  std::vector<double> f_here_{}, f_T_{}, slopes_here_{};  // of linearly implicit steps, where the next one begins
};

// The steps of rk4, and those of methods that control their errors.
extern template class DelayedFlight<FixedStep>;
extern template class DelayedFlight<ErrorControl>;
extern template class DelayedFlight<StiffErrorControl>;

}  // namespace salvo::integrate
