#include "integrate/switchboard.hpp"

#include <algorithm>
#include <cmath>
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
      jumps_(jumps),
      experiment_(start.experiment),
      x_(std::move(x)),
      reading_(2 * of_.watched.size()),
      conditions_(of_.events.size()) {
  lane_.take_parameters(start.p, start.stride);
  search_.resize(static_cast<int>(of_.watched.size()));
  list_knots(start);
  list_known_times(start);
  stand(start.time);
  if (is_due(start.time)) act(start.time, 0, x_);
}

bool Switchboard::acts_here(int event) const {
  const std::vector<int>& in = of_.events[event].experiments;
  return in.empty() || std::binary_search(in.begin(), in.end(), experiment_);
}

namespace {

// Times that differ by rounding alone from a stop are the stop.
double at_stop(const Switchboard::Start& start, double time) {
  if (is_same(time, start.time)) return start.time;
  const auto after = std::lower_bound(start.stops.begin(), start.stops.end(), time);
  if (after != start.stops.end() && is_same(*after, time)) return *after;
  if (after != start.stops.begin() && is_same(*(after - 1), time)) return *(after - 1);
  return time;
}

}  // namespace

// The pieces of inputs that hold where the trajectory begins, and those that follow. They come before what happens at
// the same time, which sees them.
void Switchboard::list_knots(const Start& start) {
  const double end = start.stops.empty() ? start.time : start.stops.back();
  for (int i = 0; i < static_cast<int>(of_.functions.size()); ++i) {
    if (of_.functions[i].input < 0) continue;
    const model::InputCurve& curve = *model_.inputs[of_.functions[i].input].of_experiment[experiment_];
    const int pieces = static_cast<int>(curve.pieces().size());
    int piece = curve.piece_at(start.time);
    while (piece + 1 < pieces && is_same(curve.pieces()[piece + 1].begin, start.time)) ++piece;
    begin_piece(i, piece);
    for (++piece; piece < pieces; ++piece) {
      const double time = at_stop(start, curve.pieces()[piece].begin);
      if (time > end) break;
      known_.push_back({time, i, piece});
    }
  }
}

void Switchboard::begin_piece(int function, int piece) {
  lane_.set_piece(model_.inputs[of_.functions[function].input], experiment_, piece);
}

// Zeros of functions that are linear in time.
void Switchboard::list_known_times(const Start& start) {
  const double end = start.stops.empty() ? start.time : start.stops.back();
  for (int i = 0; i < static_cast<int>(of_.functions.size()); ++i) {
    const compile::SwitchingFunction& function = of_.functions[i];
    if (!function.is_timed || function.input >= 0 || (function.event >= 0 && !acts_here(function.event))) continue;
    double line[2];  // z = line[0] + line[1] t
    lane_.run(function.time, 0, nullptr, line);
    const double time = at_stop(start, -line[0] / line[1]);
    const bool is_ahead = time > start.time || (time == start.time && function.event >= 0 && start.is_start);
    if (function.event < 0) lane_.frozen()[i] = line[1] == 0 ? line[0] > 0 : (line[1] > 0) != is_ahead;
    if (line[1] != 0 && is_ahead && time <= end) known_.push_back({time, i});
  }
  std::stable_sort(known_.begin(), known_.end(), [](const Known& a, const Known& b) { return a.time < b.time; });
}

// Sides and truth values where the trajectory begins. What vanishes there takes the side to which it moves.
void Switchboard::stand(double t) {
  std::vector<double> written(of_.truths);
  lane_.run(of_.as_written, t, x_.data(), written.data());
  const int count = static_cast<int>(of_.watched.size());
  for (int w = 0; w < count; ++w) lane_.frozen()[of_.watched[w]] = written[of_.watched[w]];
  read(t);
  for (int w = 0; w < count; ++w) {
    const double z = reading_[w] != 0 ? reading_[w] : reading_[count + w];
    search_.set_side(w, z > 0 || (z == 0 && written[of_.watched[w]] != 0) ? 1 : -1);
    lane_.frozen()[of_.watched[w]] = search_.side(w) > 0 ? 1 : 0;
  }
  read(t);
  search_.stand_at({std::span(reading_).first(count), std::span(reading_).subspan(count)});
  if (!of_.events.empty()) lane_.run(of_.conditions, t, x_.data(), conditions_.data());
}

void Switchboard::read(double t) {
  if (of_.watched.empty()) return;
  lane_.run(of_.motion, t, x_.data(), lane_.f(t, x_.data()).data(), reading_.data());
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
  if (const int located = std::exchange(located_, -1); located >= 0) {
    read(t);
    const double speed = reading_[of_.watched.size() + located];
    const int function = of_.watched[located];
    search_.set_side(located, -search_.side(located));
    search_.allow(located, std::max(8 * std::abs(reading_[located]), 1e-12 * std::abs(speed) * last_step_length_));
    jump(t, slots, std::exchange(last_step_, -1), {t, function});
    check_direction(t, located, speed);
  }
  while (next_time() <= t) jump(t, slots, std::exchange(last_step_, -1), known_[next_++]);
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
  note(t, slots, step, function, event);
  if (function < of_.truths) flip(function);
  if (what.piece >= 0) begin_piece(function, what.piece);
  if (event >= 0) {
    change_states(t, event);
  } else {
    read(t);
    settle_sides();
  }
  jumps_.back().after = x_;
  jumps_.back().frozen.assign(lane_.frozen().begin(), lane_.frozen().end());
  act_on_conditions(t, slots);
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
  jump.frozen_before.assign(lane_.frozen().begin(), lane_.frozen().end());
}

// Events whose condition has turned true act in the order of the file, each once for a turn.
void Switchboard::act_on_conditions(double t, int slots) {
  if (of_.events.empty()) return;
  for (int rounds = 0; rounds < most_in_no_time; ++rounds) {
    conditions_before_ = conditions_;
    lane_.run(of_.conditions, t, x_.data(), conditions_.data());
    bool acted = false;
    for (int e = 0; e < static_cast<int>(of_.events.size()); ++e) {
      if (!of_.events[e].is_conditional || !acts_here(e)) continue;
      if (conditions_[e] == 0 || conditions_before_[e] != 0) continue;
      note(t, slots, -1, -1, e);
      change_states(t, e);
      jumps_.back().after = x_;
      jumps_.back().frozen.assign(lane_.frozen().begin(), lane_.frozen().end());
      acted = true;
    }
    if (!acted) return;
  }
  fail(Outcome::endless_events, t, jumps_.back().event >= 0 ? of_.events[jumps_.back().event].text : "an event");
}

// All new values are computed before the first is set; then every function takes the side on which it is.
void Switchboard::change_states(double t, int event) {
  const compile::EventKernel& kernel = of_.events[event];
  std::vector<double> values(kernel.states.size());
  lane_.run(kernel.value, t, x_.data(), values.data());
  for (std::size_t n = 0; n < values.size(); ++n) x_[kernel.states[n]] = values[n];
  read(t);
  settle_sides();
}

// What stands at zero goes to the side to which it moves; a function that contains a truth value may have jumped. The
// one that has been crossed without an event stays where it has gone.
void Switchboard::settle_sides() {
  const int count = static_cast<int>(of_.watched.size());
  const int crossed = jumps_.back().event >= 0 ? -1 : jumps_.back().function;
  for (int w = 0; w < count; ++w) {
    if (of_.watched[w] == crossed) continue;
    const double z = reading_[w];
    const double speed = reading_[count + w];
    const bool is_at_zero = std::abs(z) <= search_.rounding(w);
    const double decides = is_at_zero && speed != 0 ? speed : z;
    if (decides == 0) continue;
    search_.set_side(w, decides > 0 ? 1 : -1);
    if (!is_at_zero) search_.allow(w, 0);
    lane_.frozen()[of_.watched[w]] = decides > 0 ? 1 : 0;
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

void Switchboard::fail(Outcome outcome, double t, const std::string& condition) {
  if (trouble_.ok()) trouble_ = {.outcome = outcome, .time = t, .condition = condition};
}

}  // namespace salvo::integrate
