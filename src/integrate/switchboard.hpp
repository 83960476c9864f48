#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrate/consistency.hpp"
#include "integrate/crossing_search.hpp"
#include "integrate/lane_model.hpp"
#include "integrate/record.hpp"

namespace salvo::integrate {

// Truth values and pieces of inputs of one trajectory under way: when they change, and what acts then. Zeros that are
// known beforehand stand in a list, in the order of time; others are looked for in every step.
class Switchboard {
 public:
  struct Start {
    const double* p = nullptr;  // numbers of a lane stand `stride` apart
    int stride = 1;
    double time = 0;
    std::span<const double> stops{};
    int experiment = 0;
    bool is_start = true;  // events at this time act
    const StopFlag* stop = nullptr;
    std::size_t frozen_budget = 0;  // bytes
    // What a model that looks into the past sees at a time: values, and how fast they change.
    std::function<void(double t, double* values, double* speeds)> past{};
  };
  Switchboard(const compile::CompiledModel& model, const Start& start, std::vector<double> x, std::vector<Jump>& jumps);

  const std::vector<double>& x() const { return x_; }  // after what acts at the start, and after each jump
  std::span<const double> frozen() { return lane_.frozen(); }
  const Ending& trouble() const { return trouble_; }

  // The next time that is known beforehand.
  double next_time() const {
    return next_ < known_.size() ? known_[next_].time : std::numeric_limits<double>::infinity();
  }
  // Is there one that comes by then? Time itself may have run away to infinity, where nothing is due.
  bool comes_by(double t) const { return next_ < known_.size() && known_[next_].time <= t; }
  // Has something happened at this very time?
  bool has_jumped_at(double t) const { return !jumps_.empty() && jumps_.back().time == t; }
  bool is_searching() const { return search_.is_under_way(); }
  double trial() const { return search_.trial(); }

  // After a step of length h from time t that is accurate enough: may it stand? If it may not, `trial` is the length of
  // the next attempt.
  bool judge(double t, double h, const CrossingSearch::Reading& end);
  // It stands, in this slot.
  void accept(int slot, const CrossingSearch::Reading& end);
  // Is there a discontinuity where the accepted step has ended?
  bool is_due(double t) const { return located_ >= 0 || comes_by(t); }
  // What is due at time t acts, after so many slots.
  void act(double t, int slots, std::vector<double> x);
  // What is seen of the past may have jumped at time t, after so many slots: conditions are looked at again.
  void see_anew(double t, int slots, std::vector<double> x);
  // A stop stands here: time does not pass before it is noted.
  void stop_here() { carried_ = -1; }
  // dx/dt, that of algebraic variables too.
  const std::vector<double>& velocity(double t, const double* x) { return consistency_.velocity(lane_, t, x); }
  // A step that failed for another reason.
  void give_up_search() { search_.give_up(); }

 private:
  struct Known {
    double time;
    int function;
    int piece = -1;  // of an input
  };
  void see(double t);
  const double* motion_seed(double t, const double* x);
  double lag(const compile::InputKernel& input) const;
  void list_knots();
  void list_known_times();
  void list_known_time(int function, double from, bool is_start);
  void list_moved_times(double t);
  void sort_known_times();
  double at_stop(double time) const;
  std::span<const double> truths_as_written(double t);
  void stand(double t);
  void begin_consistently();
  void project(double t);
  void look_back_from_start();
  void read(double t);
  void settle_sides(double t);
  void flip(int function);
  void begin_piece(int function, int piece);
  void jump(double t, int slots, int step, const Known& what);
  void note(double t, int slots, int step, int function, int event);
  void note_after(double t);
  FrozenNumbers standing(double t);
  void look_at_conditions(double t);
  int next_to_act(double t);
  void let_events_act(double t, int slots);
  bool is_back_at_threshold(double t, int event);
  bool depends_on_set_states(double t, int watched, int event);
  void change_states(double t, int event);
  void check_direction(double t, int watched, double speed_before);
  void count_jump(double t, const std::string& what);
  bool acts_here(int event) const;
  bool may_go_on(double t);
  void fail(Outcome outcome, double t, const std::string& condition);

  const compile::CompiledModel& model_;
  const compile::Discontinuities& of_;
  LaneModel lane_;
  Consistency consistency_;
  std::vector<Jump>& jumps_;
  FrozenNumbers standing_{};        // as it was noted last
  std::size_t standing_bytes_ = 0;  // of all that were noted
  Start start_;
  std::vector<double> x_;
  std::vector<Known> known_{};
  std::size_t next_ = 0;
  CrossingSearch search_{};
  int located_ = -1;               // watched function that vanishes at the end of the accepted step
  std::vector<double> reading_{};  // z and dz/dt of the watched functions
  std::vector<double> conditions_{}, conditions_before_{};
  std::vector<int> waiting_{};  // events whose condition has turned, in the order in which they have
  std::vector<double> written_{}, priorities_{};
  std::vector<double> tau_{};                     // delays
  std::vector<double> speeds_{}, motion_seed_{};  // of delayed values; and f before them
  int last_step_ = -1;                            // slot of the last step since the last jump
  int carried_ = -1;                              // the last jump, if no step has begun in it yet
  double last_jump_ = -std::numeric_limits<double>::infinity();
  double last_step_length_ = 0;
  int in_no_time_ = 0;
  int not_foreseen_ = 0;  // jumps
  Ending trouble_{};
};

// The condition of g_z where a trajectory begins, after what acts there.
double condition_at(const compile::CompiledModel& model, const Switchboard::Start& start, const Jump& begun);

// What acts where a trajectory begins, and algebraic variables there, where nothing follows: the state is that after
// the last jump.
Ending begin(const compile::CompiledModel& model, const Switchboard::Start& start, std::span<const double> x,
             std::vector<Jump>& jumps);

}  // namespace salvo::integrate
