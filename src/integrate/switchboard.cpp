#include "integrate/switchboard.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace salvo::integrate {
namespace {

// Relative: sums of decimal fractions that mean the same time.
constexpr double same_time = 4 * std::numeric_limits<double>::epsilon();
constexpr double no_time = 1e-10;    // between two jumps, relative
constexpr int most_in_no_time = 50;  // jumps
constexpr int most_jumps = 100'000;

bool is_same(double a, double b) { return std::abs(a - b) <= same_time * std::max(std::abs(a), std::abs(b)); }

}  // namespace

Switchboard::Switchboard(const compile::CompiledModel& model, const Start& start, std::vector<double> x,
                         std::vector<Jump>& jumps)
    : model_(model),
      of_(*model.discontinuities),
      lane_(model),
      consistency_(model),
      jumps_(jumps),
      start_(start),
      x_(std::move(x)),
      reading_(2 * of_.watched.size()),
      conditions_(of_.conditional.size()),
      written_(of_.truths),
      priorities_(of_.events.size()) {
  lane_.take_parameters(start.p, start.stride);
  search_.resize(static_cast<int>(of_.watched.size()));
  tau_ = model.delays_at(start.p, start.stride);
  see(start.time);
  list_knots();
  list_known_times();
  stand(start.time);
  if (consistency_.any()) begin_consistently();
  if (start.is_start && !of_.conditional.empty()) look_back_from_start();
  if (!waiting_.empty() || is_due(start.time)) act(start.time, 0, x_);
}

// Values from the past as they are at this time.
void Switchboard::see(double t) {
  if (!start_.past) return;
  speeds_.resize(lane_.delayed().size());
  start_.past(t, lane_.delayed().data(), speeds_.data());
  consistency_.set_speeds(speeds_);
}

// f and, behind it, how fast delayed values change.
const double* Switchboard::motion_seed(double t, const double* x) {
  const std::vector<double>& f = velocity(t, x);
  if (!start_.past) return f.data();
  motion_seed_.assign(f.begin(), f.begin() + model_.states);
  motion_seed_.insert(motion_seed_.end(), speeds_.begin(), speeds_.end());
  return motion_seed_.data();
}

double Switchboard::lag(const compile::InputKernel& input) const {
  return input.delay < 0 ? 0 : tau_[static_cast<std::size_t>(input.delay)];
}

// Algebraic variables are solved for before anything else happens. Truth values that they decide may decide them.
void Switchboard::begin_consistently() {
  note(start_.time, 0, -1, -1, -1);
  Jump& begin = jumps_.back();
  begin.is_begin = true;
  project(start_.time);
  stand(start_.time);
  project(start_.time);
  note_after(start_.time);
  begin.frozen_before = begin.frozen;
}

void Switchboard::project(double t) {
  if (!consistency_.any() || !trouble_.ok() || consistency_.solve(lane_, t, x_)) return;
  fail(Outcome::inconsistent, t, {});
  trouble_.state = model_.algebraic.front();
}

// What is not true at the start itself, but right after it, turns there: time > 0 from 0 on. What was false before and
// is true at the start alone has turned, too: x >= 1 where x falls from 1.
void Switchboard::look_back_from_start() {
  const std::vector<double> after(lane_.frozen().begin(), lane_.frozen().end());
  const std::span<const double> at_start = truths_as_written(start_.time);
  std::copy(at_start.begin(), at_start.end(), lane_.frozen().begin());
  lane_.run(of_.conditions, start_.time, x_.data(), conditions_.data());
  std::copy(after.begin(), after.end(), lane_.frozen().begin());
  const std::vector<double> here = conditions_;
  const auto was_false = [&](int e) {
    return of_.events[e].false_before_start && !of_.begins_at_rest[start_.experiment];
  };
  for (const int e : of_.conditional)
    if (was_false(e)) conditions_[of_.events[e].condition] = 0;
  look_at_conditions(start_.time);
  for (const int e : of_.conditional) {
    const int condition = of_.events[e].condition;
    if (was_false(e) && here[condition] != 0 && conditions_[condition] == 0 && acts_here(e)) waiting_.push_back(e);
  }
}

bool Switchboard::acts_here(int event) const {
  const std::vector<int>& in = of_.events[event].experiments;
  return in.empty() || std::binary_search(in.begin(), in.end(), start_.experiment);
}

// Times that differ by rounding alone from a stop are the stop.
double Switchboard::at_stop(double time) const {
  if (is_same(time, start_.time)) return start_.time;
  const auto after = std::lower_bound(start_.stops.begin(), start_.stops.end(), time);
  if (after != start_.stops.end() && is_same(*after, time)) return *after;
  if (after != start_.stops.begin() && is_same(*(after - 1), time)) return *(after - 1);
  return time;
}

// The pieces of inputs that hold where the trajectory begins, and those that follow. They come before what happens at
// the same time, which sees them.
void Switchboard::list_knots() {
  const double end = start_.stops.empty() ? start_.time : start_.stops.back();
  for (int i = 0; i < static_cast<int>(of_.functions.size()); ++i) {
    if (of_.functions[i].input < 0) continue;
    const compile::InputKernel& input = model_.inputs[of_.functions[i].input];
    const model::InputCurve& curve = *input.of_experiment[start_.experiment];
    const double later = lag(input);
    const int pieces = static_cast<int>(curve.pieces().size());
    int piece = curve.piece_at(start_.time - later);
    while (piece + 1 < pieces && is_same(curve.pieces()[piece + 1].begin + later, start_.time)) ++piece;
    begin_piece(i, piece);
    for (++piece; piece < pieces; ++piece) {
      const double time = at_stop(curve.pieces()[piece].begin + later);
      if (time > end) break;
      known_.push_back({time, i, piece});
    }
  }
}

void Switchboard::begin_piece(int function, int piece) {
  lane_.set_piece(model_.inputs[of_.functions[function].input], start_.experiment, piece);
}

// Zeros of functions that are linear in time.
void Switchboard::list_known_times() {
  for (int i = 0; i < static_cast<int>(of_.functions.size()); ++i) {
    const compile::SwitchingFunction& function = of_.functions[i];
    if (!function.is_timed || function.input >= 0 || (function.event >= 0 && !acts_here(function.event))) continue;
    list_known_time(i, start_.time, start_.is_start);
  }
  sort_known_times();
}

// Where the function vanishes after the time `from`, and its truth value there.
void Switchboard::list_known_time(int function, double from, bool is_start) {
  const double end = start_.stops.empty() ? start_.time : start_.stops.back();
  const bool is_truth = of_.functions[function].event < 0;
  double line[2];  // z = line[0] + line[1] t
  lane_.run(of_.functions[function].time, 0, x_.data(), line);
  if (const auto& states = of_.functions[function].by_state; std::isnan(line[0]) && !states.empty()) {
    fail(Outcome::not_finite, from, of_.functions[function].text);
    trouble_.state = states.front();
    return;
  }
  if (line[1] == 0) {
    if (is_truth) lane_.frozen()[function] = line[0] == 0 ? truths_as_written(from)[function] : line[0] > 0;
    return;
  }
  const double time = at_stop(-line[0] / line[1]);
  const bool is_ahead = time > from || (time == from && !is_truth && is_start);
  if (is_truth) lane_.frozen()[function] = (line[1] > 0) != is_ahead;
  if (is_ahead && time <= end) known_.push_back({time, function});
}

void Switchboard::sort_known_times() {
  const auto order = [&](const Known& known) {
    const compile::SwitchingFunction& function = of_.functions[known.function];
    return std::pair(known.time, function.input >= 0 ? -1 : function.first_event);
  };
  std::stable_sort(known_.begin() + static_cast<std::ptrdiff_t>(next_), known_.end(),
                   [&](const Known& a, const Known& b) { return order(a) < order(b); });
}

// An event has set what functions of time and of standing states depend on.
void Switchboard::list_moved_times(double t) {
  if (of_.moved.empty()) return;
  const auto is_moved = [&](int function) {
    return of_.functions[function].is_timed && !of_.functions[function].by_state.empty();
  };
  const auto ahead = known_.begin() + static_cast<std::ptrdiff_t>(next_);
  known_.erase(std::remove_if(ahead, known_.end(), [&](const Known& known) { return is_moved(known.function); }),
               known_.end());
  for (const int function : of_.moved) list_known_time(function, t, false);
  sort_known_times();
}

std::span<const double> Switchboard::truths_as_written(double t) {
  lane_.run(of_.as_written, t, x_.data(), written_.data());
  return written_;
}

// Sides and truth values where the trajectory begins. What vanishes there takes the side to which it moves.
void Switchboard::stand(double t) {
  const std::span<const double> written = truths_as_written(t);
  const int count = static_cast<int>(of_.watched.size());
  for (int w = 0; w < count; ++w) lane_.frozen()[of_.watched[w]] = written[of_.watched[w]];
  read(t);
  for (int w = 0; w < count; ++w) {
    const std::string& equation = of_.functions[of_.watched[w]].equation;
    if (reading_[w] == 0 && !equation.empty()) fail(Outcome::unsolvable, t, equation);
    const double z = reading_[w] != 0 ? reading_[w] : reading_[count + w];
    search_.set_side(w, z > 0 || (z == 0 && written[of_.watched[w]] != 0) ? 1 : -1);
    lane_.frozen()[of_.watched[w]] = search_.side(w) > 0 ? 1 : 0;
  }
  read(t);
  search_.stand_at({std::span(reading_).first(count), std::span(reading_).subspan(count)});
  if (!of_.conditional.empty()) lane_.run(of_.conditions, t, x_.data(), conditions_.data());
}

void Switchboard::read(double t) {
  if (of_.watched.empty()) return;
  lane_.run(of_.motion, t, x_.data(), motion_seed(t, x_.data()), reading_.data());
}

bool Switchboard::judge(double t, double h, const CrossingSearch::Reading& end) {
  switch (search_.judge(t, h, end)) {
    case CrossingSearch::Verdict::stands: return true;
    case CrossingSearch::Verdict::again: return false;
    case CrossingSearch::Verdict::crossing: break;
  }
  located_ = search_.function();
  if (search_.is_grazing()) fail(Outcome::grazing, t + h, of_.functions[of_.watched[located_]].text);
  last_step_length_ = h;
  return true;
}

void Switchboard::accept(int slot, const CrossingSearch::Reading& end) {
  if (carried_ >= 0) jumps_[std::exchange(carried_, -1)].next = slot;
  last_step_ = slot;
  search_.stand_at(end);
}

void Switchboard::act(double t, int slots, std::vector<double> x) {
  x_ = std::move(x);
  see(t);
  if (const int located = std::exchange(located_, -1); located >= 0) {
    read(t);
    const double speed = reading_[of_.watched.size() + located];
    const int function = of_.watched[located];
    search_.set_side(located, -search_.side(located));
    search_.allow(located, std::max(8 * std::abs(reading_[located]), 1e-12 * std::abs(speed) * last_step_length_));
    jump(t, slots, std::exchange(last_step_, -1), {t, function});
    if (!comes_by(t)) let_events_act(t, slots);
    check_direction(t, located, speed);
  }
  while (comes_by(t) && may_go_on(t)) {
    const Known what = known_[next_++];
    jump(t, slots, std::exchange(last_step_, -1), what);
    // Among those that have priorities, all must be known before the first one acts.
    if (!comes_by(t) || !of_.has_priorities) let_events_act(t, slots);
  }
  if (slots == 0) let_events_act(t, slots);
  read(t);
  const auto count = of_.watched.size();
  search_.stand_at({std::span(reading_).first(count), std::span(reading_).subspan(count)});
}

void Switchboard::see_anew(double t, int slots, std::vector<double> x) {
  x_ = std::move(x);
  see(t);
  note(t, slots, std::exchange(last_step_, -1), -1, -1);
  project(t);
  read(t);
  settle_sides(t);
  project(t);
  note_after(t);
  let_events_act(t, slots);
  read(t);
  const auto count = of_.watched.size();
  search_.stand_at({std::span(reading_).first(count), std::span(reading_).subspan(count)});
}

void Switchboard::flip(int function) {
  double& truth = lane_.frozen()[function];
  truth = 1 - truth;
}

// One jump, and what follows from it at once.
void Switchboard::jump(double t, int slots, int step, const Known& what) {
  const int function = what.function;
  const int event = of_.functions[function].event;
  if (const std::string& equation = of_.functions[function].equation; !equation.empty())
    fail(Outcome::unsolvable, t, equation);
  note(t, slots, step, function, event);
  if (function < of_.truths) flip(function);
  if (what.piece >= 0) begin_piece(function, what.piece);
  if (event >= 0) {
    change_states(t, event);
  } else {
    project(t);
    read(t);
    settle_sides(t);
    project(t);
  }
  note_after(t);
  look_at_conditions(t);
  count_jump(t, event >= 0 ? of_.events[event].text : of_.functions[function].text);
}

void Switchboard::note(double t, int slots, int step, int function, int event) {
  carried_ = static_cast<int>(jumps_.size());
  Jump& jump = jumps_.emplace_back();
  jump.slot = slots;
  jump.step = step;
  jump.function = function;
  jump.event = event;
  jump.time = t;
  jump.before = x_;
  jump.frozen_before = standing(t);
}

void Switchboard::note_after(double t) {
  jumps_.back().after = x_;
  jumps_.back().frozen = standing(t);
}

FrozenNumbers Switchboard::standing(double t) {
  const std::span<const double> now = lane_.frozen();
  if (standing_ && (now.empty() || std::memcmp(now.data(), standing_->data(), now.size_bytes()) == 0)) return standing_;
  standing_ = std::make_shared<const std::vector<double>>(now.begin(), now.end());
  standing_bytes_ += now.size_bytes();
  if (standing_bytes_ > start_.frozen_budget) {
    const Jump& last = jumps_.back();
    if (last.is_begin || (last.event < 0 && last.function < 0)) return standing_;
    fail(Outcome::too_many_jumps, t, last.event >= 0 ? of_.events[last.event].text : of_.functions[last.function].text);
  }
  return standing_;
}

// An event waits from when its condition turns true; unless it is persistent, no longer than the condition holds.
void Switchboard::look_at_conditions(double t) {
  if (of_.conditional.empty()) return;
  conditions_before_ = conditions_;
  lane_.run(of_.conditions, t, x_.data(), conditions_.data());
  for (const int e : of_.conditional) {
    const compile::EventKernel& event = of_.events[e];
    if (!acts_here(e)) continue;
    const bool holds = conditions_[event.condition] != 0;
    if (holds && conditions_before_[event.condition] == 0) waiting_.push_back(e);
    if (!holds && !event.is_persistent) std::erase(waiting_, e);
  }
}

// The next of those that wait is the first of the file, or the one with the highest priority.
int Switchboard::next_to_act(double t) {
  auto chosen = std::min_element(waiting_.begin(), waiting_.end());
  if (of_.has_priorities) {
    lane_.run(of_.priorities, t, x_.data(), priorities_.data());
    chosen = std::max_element(waiting_.begin(), waiting_.end(),
                              [&](int a, int b) { return priorities_[a] < priorities_[b]; });
  }
  const int event = *chosen;
  waiting_.erase(chosen);
  return event;
}

void Switchboard::let_events_act(double t, int slots) {
  look_at_conditions(t);
  const std::size_t most = most_in_no_time * (of_.events.size() + 1);
  for (std::size_t acts = 0; !waiting_.empty() && may_go_on(t); ++acts) {
    const int event = next_to_act(t);
    if (acts == most) return fail(Outcome::endless_events, t, of_.events[event].text);
    note(t, slots, -1, -1, event);
    change_states(t, event);
    note_after(t);
    look_at_conditions(t);
    if (is_back_at_threshold(t, event)) return fail(Outcome::endless_events, t, of_.events[event].text);
  }
}

// Has the event set states to where its condition is about to turn again? x' = -x, when x < 1/2, x becomes 1/2: false
// there and true right after it, it would act for ever.
bool Switchboard::is_back_at_threshold(double t, int event) {
  const int condition = of_.events[event].condition;
  if (condition < 0 || conditions_[condition] == 0) return false;
  const int count = static_cast<int>(of_.watched.size());
  bool is_at_zero = false;
  for (int w = 0; w < count; ++w)
    is_at_zero = is_at_zero || (std::abs(reading_[w]) <= search_.rounding(w) && reading_[count + w] != 0 &&
                                depends_on_set_states(t, w, event));
  if (!is_at_zero) return false;
  const std::vector<double> after(lane_.frozen().begin(), lane_.frozen().end());
  const std::span<const double> here = truths_as_written(t);
  std::copy(here.begin(), here.end(), lane_.frozen().begin());
  std::vector<double> conditions(of_.conditional.size());
  lane_.run(of_.conditions, t, x_.data(), conditions.data());
  std::copy(after.begin(), after.end(), lane_.frozen().begin());
  return conditions[condition] == 0;
}

bool Switchboard::depends_on_set_states(double t, int watched, int event) {
  std::vector<double> moved = x_;
  for (const int state : of_.events[event].states) moved[state] += 1e-3 * std::max(std::abs(moved[state]), 1.0);
  std::vector<double> reading(reading_.size());
  lane_.run(of_.motion, t, moved.data(), motion_seed(t, moved.data()), reading.data());
  return reading[watched] != reading_[watched];
}

// All new values are computed before the first is set; then every function takes the side on which it is.
void Switchboard::change_states(double t, int event) {
  const compile::EventKernel& kernel = of_.events[event];
  std::vector<double> values(kernel.states.size());
  lane_.run(kernel.value, t, x_.data(), values.data());
  for (std::size_t n = 0; n < values.size(); ++n) x_[kernel.states[n]] = values[n];
  project(t);
  list_moved_times(t);
  read(t);
  settle_sides(t);
  project(t);
}

// What stands at zero goes to the side to which it moves; a function that contains a truth value may have jumped. The
// one that has been crossed without an event stays where it has gone.
void Switchboard::settle_sides(double t) {
  const int count = static_cast<int>(of_.watched.size());
  const int crossed = jumps_.back().event >= 0 ? -1 : jumps_.back().function;
  for (int w = 0; w < count; ++w) {
    if (of_.watched[w] == crossed) continue;
    const double z = reading_[w];
    const double speed = reading_[count + w];
    const bool is_at_zero = std::abs(z) <= search_.rounding(w);
    const double decides = is_at_zero && speed != 0 ? speed : z;
    const bool is_true = decides != 0 ? decides > 0 : truths_as_written(t)[of_.watched[w]] != 0;
    search_.set_side(w, is_true ? 1 : -1);
    if (!is_at_zero) search_.allow(w, 0);
    lane_.frozen()[of_.watched[w]] = is_true ? 1 : 0;
  }
}

// A truth value that changes and turns the motion back to where it came from would change for ever.
void Switchboard::check_direction(double t, int watched, double speed_before) {
  if (jumps_.back().event >= 0) return;  // the state has jumped
  read(t);
  const double speed = reading_[of_.watched.size() + watched];
  if (speed * speed_before < 0) fail(Outcome::sliding, t, of_.functions[of_.watched[watched]].text);
}

void Switchboard::count_jump(double t, const std::string& what) {
  const bool is_at_once = t - last_jump_ <= no_time * std::max(std::abs(t), std::numeric_limits<double>::min());
  in_no_time_ = is_at_once ? in_no_time_ + 1 : 0;
  last_jump_ = t;
  const bool is_known = jumps_.back().function >= 0 && of_.functions[jumps_.back().function].is_timed;
  if (is_known) return;
  if (in_no_time_ > most_in_no_time || ++not_foreseen_ > most_jumps) fail(Outcome::endless_events, t, what);
}

// At one time any number may act.
bool Switchboard::may_go_on(double t) {
  if (is_raised(start_.stop)) fail(Outcome::stopped, t, {});
  return trouble_.ok();
}

void Switchboard::fail(Outcome outcome, double t, const std::string& condition) {
  if (trouble_.ok()) trouble_ = {.outcome = outcome, .time = t, .condition = condition};
}

double condition_at(const compile::CompiledModel& model, const Switchboard::Start& start, const Jump& begun) {
  LaneModel lane(model);
  lane.take_parameters(start.p, start.stride);
  std::copy(begun.frozen->begin(), begun.frozen->end(), lane.frozen().begin());
  std::vector<double> speeds(model.looks_back() ? lane.delayed().size() : 0);
  if (start.past) start.past(begun.time, lane.delayed().data(), speeds.data());
  Consistency consistency(model);
  consistency.linearize(lane, begun.time, begun.after.data());
  return consistency.condition();
}

Ending begin(const compile::CompiledModel& model, const Switchboard::Start& start, std::span<const double> x,
             std::vector<Jump>& jumps) {
  return Switchboard(model, start, {x.begin(), x.end()}, jumps).trouble();
}

}  // namespace salvo::integrate
