// Long, since the members of a flight are templates of one rule of steps, and are made where all of them are seen.
#include "integrate/delayed/flight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrate/coupled_sizes.hpp"
#include "integrate/stiffness.hpp"

namespace salvo::integrate {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int most_images = 10'000;

}  // namespace

template <class StepRule>
DelayedFlight<StepRule>::DelayedFlight(const compile::CompiledModel& model, const DenseMethod& method,
                                       const Launch<1>& launch, const DelayedRecord& record)
    : model_(model),
      method_(method),
      launch_(launch),
      record_(record),
      path_(record.path),
      past_(model, method, path_),
      d_(model.states),
      stages_(method.stages()),
      p_(launch.p, launch.p + model.parameters),
      work_(model.largest_work()),
      x_(launch.x0, launch.x0 + d_),
      x_new_(d_),
      error_(d_),
      absolute_(d_),
      k_(static_cast<std::size_t>(stages_) * d_),
      stage_(d_),
      f_room_(d_ + model.kept),
      speeds_(model.delays->count()),
      nonzeros_(model.jacobian.output_count()) {
  if (method.is_implicit) {
    implicit_.emplace(model);
    f_here_.resize(d_);
    f_T_.resize(d_);
    slopes_here_.resize(model.delays->jacobian.output_count());
  }
  if (!model.algebraic.empty()) roots_.emplace(Roots{LaneModel(model), Consistency(model)});
  for (const compile::Look& look : model.delays->looks)
    sees_roots_ = sees_roots_ || std::binary_search(model.algebraic.begin(), model.algebraic.end(), look.state);
  path_.begin(d_, stages_);
  const auto& rests = model.delays->begins_at_rest;
  past_.take(launch.p, launch.x0, 1, launch.experiment[0], rests[launch.experiment[0]]);
}

template <class StepRule>
void DelayedFlight<StepRule>::fly(StepRule rule) {
  rule_ = rule;
  if (!take_delays() || !begin()) return;
  begin_rule();
  while (is_active_) attempt();
  record_.steps = path_.steps();
}

// --- the equations -------------------------------------------------------------------------------------------------

template <class StepRule>
void DelayedFlight<StepRule>::see(double t, double* values, double* speeds) {
  const int point = static_cast<int>(path_.points.size()) - 1;
  if (speeds == nullptr) {
    for (int look = 0; look < past_.count(); ++look) values[look] = past_.value(look, t, point, path_.steps());
    return;
  }
  for (int look = 0; look < past_.count(); ++look) {
    const Past::Glance glance = past_.look(look, t, point, path_.steps());
    values[look] = glance.value;
    speeds[look] = glance.speed;
  }
}

template <class StepRule>
void DelayedFlight<StepRule>::eval(double t, const double* x, double* out) {
  see(t, p_.data() + model_.delays->first, nullptr);
  model_.rhs.run<1>({.time = &t, .state = x, .parameter = p_.data()}, work_.data(), f_room_.data());
  std::copy_n(f_room_.data(), d_, out);
  ++record_.rhs;
}

// dx/dt, that of algebraic variables too.
template <class StepRule>
void DelayedFlight<StepRule>::velocity(double t, const double* x, double* out) {
  if (!roots_) return eval(t, x, out);
  see(t, p_.data() + model_.delays->first, speeds_.data());
  roots_->lane.take_parameters(p_.data(), 1);
  roots_->consistency.set_speeds(speeds_);
  std::copy_n(roots_->consistency.velocity(roots_->lane, t, x).data(), d_, out);
}

// The sign of det g_z belongs to a root: where it changes, two roots have met.
template <class StepRule>
void DelayedFlight<StepRule>::watch_roots() {
  const Consistency::Determinant now = roots_->consistency.determinant(slopes_here_.data(), 1);
  const bool has_met = roots_->may_be_another ? !(now.least_pivot > 0) : now.sign != roots_->here.sign;
  if (std::exchange(roots_->may_be_another, false)) roots_->here = now;
  if (!has_met) return;
  fail(Outcome::fold, t_);
  record_.ending.state = model_.algebraic.front();
}

template <class StepRule>
const double* DelayedFlight<StepRule>::look_ahead(const One& h) {
  const double step = std::min(h[0], shortest_);
  for (int n = 0; n < d_; ++n) x_new_[n] = x_[n] + h[0] * slope_here()[n];
  eval(t_ + step, x_new_.data(), stage_.data());
  return stage_.data();
}

template <class StepRule>
void DelayedFlight<StepRule>::fail(Outcome outcome, double t) {
  record_.ending = {.outcome = outcome,
                    .time = t,
                    .state = rule_.template worst_state<1>(0, d_, x_.data(), x_new_.data(), error_.data())};
  is_active_ = false;
}

// --- where it begins -----------------------------------------------------------------------------------------------

template <class StepRule>
bool DelayedFlight<StepRule>::take_delays() {
  path_.tau = past_.delays();
  shortest_ = never;
  for (std::size_t k = 0; k < path_.tau.size(); ++k) {
    shortest_ = std::min(shortest_, path_.tau[k]);
    if (path_.tau[k] > 0 && std::isfinite(path_.tau[k])) continue;
    record_.ending = {.outcome = Outcome::no_delay, .time = launch_.begin[0], .condition = model_.delays->texts[k]};
    return false;
  }
  if (!launch_.is_start[0]) record_.ending = {.outcome = Outcome::past_unknown, .time = launch_.begin[0]};
  return launch_.is_start[0];
}

// The start is not smooth: the state need not be what it was in the history, nor dx/dt.
template <class StepRule>
bool DelayedFlight<StepRule>::begin() {
  t_ = launch_.begin[0];
  add_point(t_);
  begin_segment(0);
  if (model_.discontinuities) {
    const Switchboard::Start start{.p = launch_.p,
                                   .time = t_,
                                   .stops = launch_.stops[0],
                                   .experiment = launch_.experiment[0],
                                   .is_start = launch_.is_start[0],
                                   .stop = launch_.stop,
                                   .frozen_budget = record_.frozen_budget,
                                   .past = [this](double t, double* z, double* speeds) { see(t, z, speeds); }};
    board_.emplace(model_, start, x_, record_.jumps);
    const std::span<const double> frozen = board_->frozen();
    record_.frozen.assign(frozen.begin(), frozen.end());
    if (!record_.jumps.empty()) record_.frozen = *record_.jumps.front().frozen_before;
    path_.points.back().frozen = std::make_shared<const std::vector<double>>(record_.frozen);
    take_over_board();
    if (is_active_) add_jumps(t_, 0, true);
    reading_.resize(2 * model_.discontinuities->watched.size());
  }
  if (is_active_ && !launch_.stops[0].empty() && launch_.stops[0].front() == t_) note_stop(t_);
  if (launch_.stops[0].empty()) is_active_ = false;
  return is_active_;
}

template <class StepRule>
void DelayedFlight<StepRule>::begin_rule() {
  rule_.template measure_by<1>(x_.data(), d_, absolute_.data());
  evaluate_anew();
  if constexpr (StepRule::measures_errors) {
    if (std::find(absolute_.begin(), absolute_.end(), 0.0) != absolute_.end()) measure_by_neighbours();
  } else {
    rule_.step = std::min(rule_.step, shortest_);
  }
  rule_.template begin<1>(*this, launch_, d_, x_.data(), slope_here(), memory_);
}

// States so near zero that no step stands are measured by what flows into them.
template <class StepRule>
void DelayedFlight<StepRule>::measure_by_neighbours() {
  if constexpr (StepRule::measures_errors) {
    is_stuck_ = false;
    if (rule_.scale.atol || !model_.has_jacobian) return;
    std::vector<double> f(d_ + model_.kept);
    const double* p = p_.data();
    const auto linearize = [&](const One& time, const double* x) {
      model_.rhs.run<1>({.time = time.data(), .state = x, .parameter = p}, work_.data(), f.data());
      model_.jacobian.run<1>({.time = time.data(), .state = x, .parameter = p}, work_.data(), nonzeros_.data());
      return Linearized{f.data(), nonzeros_.data()};
    };
    const std::vector<double> least =
        least_by_neighbours<1>(rule_.scale, model_.rows, {t_}, launch_.ends(), x_.data(), x_new_.data(), linearize);
    for (int n = 0; n < d_; ++n) absolute_[n] = std::max(absolute_[n], least[n]);
    if constexpr (requires { rule_.by_neighbours; }) rule_.by_neighbours = least;
  }
}

// --- one attempt ---------------------------------------------------------------------------------------------------

template <class StepRule>
void DelayedFlight<StepRule>::attempt() {
  ++attempts_;
  memory_before_ = memory_;
  choose_step();
  try_step();
  One error{};
  rule_.template judge<1>(d_, x_.data(), x_new_.data(), error_.data(), error);
  rule_.template adapt<1>(memory_, {h_}, error);
  if (may_stand(error[0])) {
    const bool reaches = rule_.template reaches_stop<1>(memory_, 0, target_ - t_);
    double end = reaches ? target_ : t_ + h_;
    if (lands_) end = next_known();
    keep_step(end);
    pass(end, reaches && end >= launch_.stops[0][next_stop_]);
  }
  if (is_stuck_ && is_active_) measure_by_neighbours();
}

template <class StepRule>
double DelayedFlight<StepRule>::next_known() const {
  const int delay = next_image();
  const double image = delay < 0 ? never : image_time(delay);
  return board_ ? std::min(image, board_->next_time()) : image;
}

template <class StepRule>
void DelayedFlight<StepRule>::choose_step() {
  const double known = next_known();
  target_ = launch_.stops[0][next_stop_];
  if constexpr (!StepRule::keeps_mesh) {
    memory_.h[0] = std::min(memory_.h[0], shortest_);
    target_ = std::min(target_, known);
  }
  One h{};
  rule_.template choose<1>(memory_, {t_}, {target_}, h);
  const double left = known - t_;
  const double trial = board_ && board_->is_searching() ? board_->trial() : 0.0;
  h_ = rule_.template cut_step<1>(memory_, 0, h[0], left, trial);
  lands_ = h_ == left;
}

template <class StepRule>
void DelayedFlight<StepRule>::try_step() {
  if (implicit_) return try_implicit_step();
  for (int i = 1; i < stages_; ++i) {
    double* to = i + 1 < stages_ ? stage_.data() : x_new_.data();
    add_slopes(method_.row(i), i, to);
    for (int n = 0; n < d_; ++n) to[n] = x_[n] + h_ * to[n];
    eval(t_ + method_.node(i) * h_, to, k_.data() + static_cast<std::size_t>(i) * d_);
  }
  if constexpr (StepRule::measures_errors) {
    add_slopes(method_.error.data(), stages_, error_.data());
    for (double& error : error_) error *= h_;
  }
}

// sum_{j < count} weights_j k_j
template <class StepRule>
void DelayedFlight<StepRule>::add_slopes(const double* weights, int count, double* to) const {
  std::fill_n(to, d_, 0.0);
  const double* k = k_.data();
  for (int j = 0; j < count; ++j, k += d_) {
    if (weights[j] == 0) continue;
    for (int n = 0; n < d_; ++n) to[n] += weights[j] * k[n];
  }
}

template <class StepRule>
void DelayedFlight<StepRule>::try_implicit_step() {
  using Tableau = ImplicitStep::Tableau;
  implicit_->factorize(slopes_here_.data(), h_);
  for (int i = 0; i < stages_; ++i) {
    double* k = k_.data() + static_cast<std::size_t>(i) * d_;
    form_stage(method_.row(i), stage_.data());
    if (i == 0)
      std::copy(f_here_.begin(), f_here_.end(), k);
    else
      eval(t_ + method_.node(i) * h_, stage_.data(), k);
    for (int n = 0; n < d_; ++n) {
      for (int j = 0; j < i && implicit_->is_differential(n); ++j)
        k[n] += Tableau::c[i][j] * k_[static_cast<std::size_t>(j) * d_ + n];
      k[n] += Tableau::gamma_sum[i] * h_ * f_T_[n];
    }
    implicit_->solve(k);
  }
  form_stage(method_.end.data(), x_new_.data());
  const double* last = k_.data() + static_cast<std::size_t>(stages_ - 1) * d_;
  for (int n = 0; n < d_; ++n) error_[n] = h_ * last[n];
}

template <class StepRule>
void DelayedFlight<StepRule>::form_stage(const double* weights, double* to) {
  add_slopes(weights, stages_, to);
  for (int n = 0; n < d_; ++n) to[n] = x_[n] + h_ * to[n];
}

// Signs that the steps are as long as stability allows, or that they soon will be, where linearly implicit ones could
// be much longer: no step is longer than the shortest delay.
template <class StepRule>
bool DelayedFlight<StepRule>::is_stiff() {
  if constexpr (StepRule::measures_errors) {
    constexpr double faster_than_delay = 10;
    if (implicit_ || !rule_.watches_stiffness || !model_.has_jacobian) return false;
    const double* f_new = k_.data() + static_cast<std::size_t>(stages_ - 1) * d_;
    const StepEnds ends{
        .x = x_.data(), .x_new = x_new_.data(), .last_stage = stage_.data(), .f_new = f_new, .f_last = f_new - d_};
    if (rule_.template is_stiff<1>(memory_, 0, d_, h_, path_.steps() + 1, ends))
      return h_ * faster_than_delay < shortest_;
    if (!rule_.foresees(attempts_)) return false;
    const double left = launch_.stops[0].back() - t_;
    if (left <= StepRule::many_steps * memory_.h[0]) return false;
    see(t_, p_.data() + model_.delays->first, nullptr);
    model_.jacobian.run<1>({.time = &t_, .state = x_.data(), .parameter = p_.data()}, work_.data(), nonzeros_.data());
    std::vector<double> room(2 * static_cast<std::size_t>(d_));
    const double rate = fastest_decay(model_.rows, nonzeros_.data(), 1, room);
    return rate * shortest_ > faster_than_delay &&
           foretells_stiffness(rate, left, rule_.template visible_rate<1>(0, d_, x_.data(), k_.data()));
  } else {
    return false;
  }
}

template <class StepRule>
bool DelayedFlight<StepRule>::may_stand(double error) {
  const bool is_good = error <= 1;
  const auto is_finite = [](double number) { return std::isfinite(number); };
  const double* here = slope_here();
  if (StepRule::has_shorter_steps && !std::isfinite(error) && !std::all_of(here, here + d_, is_finite)) {
    fail(Outcome::equation_not_finite, t_);
    record_.ending.state = static_cast<int>(std::find_if_not(here, here + d_, is_finite) - here);
  } else if (!is_good && !rule_.template shorten<1>(memory_, 0, t_, h_, error)) {
    fail(StepRule::when_too_short, t_);
    if (roots_ && roots_->consistency.determinant(slopes_here_.data(), 1).least_pivot <
                      Consistency::near_fold * roots_->here.least_pivot)
      record_.ending.outcome = Outcome::fold;
  } else if (attempts_ > launch_.max_steps) {
    fail(Outcome::too_many_steps, t_);
  } else if (launch_.is_stopped()) {
    fail(Outcome::stopped, t_);
  } else if (is_good && is_stiff()) {
    fail(Outcome::stiff, t_);
  }
  if (!is_active_) return false;
  rejected_ = is_good ? 0 : rejected_ + 1;
  is_stuck_ = rejected_ == 2;
  if (!board_) {
    if (is_good) rule_.template stands<1>(memory_, 0);
    return is_good;
  }
  if (is_good) return is_watched_step_good(t_ + h_);
  board_->give_up_search();
  return false;
}

template <class StepRule>
bool DelayedFlight<StepRule>::is_watched_step_good(double end) {
  const std::size_t watched = reading_.size() / 2;
  if (watched > 0) {
    std::vector<double> seed(k_.end() - d_, k_.end());
    if (implicit_) velocity(end, x_new_.data(), seed.data());
    seed.resize(d_ + speeds_.size());
    see(end, p_.data() + model_.delays->first, seed.data() + d_);
    model_.discontinuities->motion.run<1>(
        {.time = &end, .state = x_new_.data(), .parameter = p_.data(), .seed = seed.data()}, work_.data(),
        reading_.data());
  }
  const std::span<const double> all(reading_);
  const CrossingSearch::Reading reading{all.first(watched), all.subspan(watched)};
  if (!board_->judge(t_, h_, reading)) {
    memory_.restore(0, memory_before_);
    return false;
  }
  if (!is_board_fine()) return false;
  rule_.template stands<1>(memory_, 0);
  board_->accept(path_.steps(), reading);
  return true;
}

// --- what follows where it ends ------------------------------------------------------------------------------------

template <class StepRule>
void DelayedFlight<StepRule>::keep_step(double end) {
  path_.x.insert(path_.x.end(), x_.begin(), x_.end());
  path_.k.insert(path_.k.end(), k_.begin(), k_.end());
  x_ = x_new_;
  rule_.template passed<1>(x_.data(), d_);
  t_ = end;
}

// Everything that happens at this time, one after the other; the first of it where the step ends.
template <class StepRule>
void DelayedFlight<StepRule>::pass(double t, bool at_stop) {
  const std::size_t points = path_.points.size();
  bool anything = true;
  while (anything && is_active_) anything = pass_switches(t) || pass_image(t);
  if (!is_active_) return;
  const bool is_smooth = path_.points.size() == points;
  if (is_smooth) {
    add_point(t).is_smooth = !implicit_;
    std::copy_n(k_.end() - d_, d_, k_.begin());
  } else {
    rule_.template passed<1>(x_.data(), d_);
  }
  if (at_stop) note_stop(t);
  if (roots_ && !is_smooth) roots_->may_be_another = true;
  if (is_active_ && (!is_smooth || implicit_)) evaluate_anew();
}

template <class StepRule>
void DelayedFlight<StepRule>::evaluate_anew() {
  eval(t_, x_.data(), slope_here());
  if (!implicit_) return;
  const compile::Delays& delays = *model_.delays;
  see(t_, p_.data() + delays.first, speeds_.data());
  delays.jacobian.run<1>({.time = &t_, .state = x_.data(), .parameter = p_.data()}, work_.data(), slopes_here_.data());
  const double* slope = slopes_here_.data() + model_.f_x.size() + model_.f_p.size();
  std::fill(f_T_.begin(), f_T_.end(), 0.0);
  for (int z = 0; z < delays.f_z.size(); ++z) f_T_[delays.f_z.row[z]] += *slope++ * speeds_[delays.f_z.column[z]];
  for (const int row : delays.f_t) f_T_[row] += *slope++;
  if (roots_) watch_roots();
}

template <class StepRule>
bool DelayedFlight<StepRule>::pass_switches(double t) {
  if (!board_ || !board_->is_due(t)) return false;
  const std::size_t from = record_.jumps.size();
  const bool has_arrived = path_.steps() < static_cast<int>(path_.points.size());
  if (has_arrived) move_nowhere(x_.data());
  board_->act(t, path_.steps(), x_);
  take_over_board();
  if (is_active_) add_jumps(t, from, false);
  return is_active_;
}

template <class StepRule>
int DelayedFlight<StepRule>::next_image() const {
  int next = -1;
  for (int k = 0; k < path_.delays(); ++k)
    if (image_time(k) < (next < 0 ? never : image_time(next))) next = k;
  return next;
}

template <class StepRule>
double DelayedFlight<StepRule>::image_time(int delay) const {
  const int segment = path_.segment_at(static_cast<int>(path_.points.size()) - 1, delay) + 1;
  if (segment >= static_cast<int>(path_.segments.size())) return never;
  return without_rounding(path_.points[path_.segments[segment].point].t + path_.tau[delay]);
}

// A time that differs by rounding alone from a stop is the stop, and so it is with what happens beside it: no step
// between the two would be long enough for its interpolant to have a curvature.
template <class StepRule>
double DelayedFlight<StepRule>::without_rounding(double t) const {
  constexpr double same = 1e-13;
  const auto is_same = [&](double other) {
    return std::abs(other - t) <= same * std::max(std::abs(t), std::abs(other));
  };
  const std::span<const double> stops = launch_.stops[0];
  for (std::size_t n = next_stop_; n < std::min(next_stop_ + 2, stops.size()); ++n)
    if (is_same(stops[n])) return stops[n];
  if (board_ && board_->next_time() < never && is_same(board_->next_time())) return board_->next_time();
  return is_same(t_) ? t_ : t;
}

template <class StepRule>
bool DelayedFlight<StepRule>::pass_image(double t) {
  const int delay = next_image();
  if (delay < 0 || image_time(delay) > t) return false;
  const int segment = path_.segment_at(static_cast<int>(path_.points.size()) - 1, delay) + 1;
  if (path_.steps() < static_cast<int>(path_.points.size())) move_nowhere(x_.data());
  DelayedPath::Point& point = add_point(t);
  point.kind = Kind::image;
  point.source = path_.segments[segment].point;
  point.delay = delay;
  path_.segment[path_.segment.size() - path_.tau.size() + delay] = segment;
  const int order = path_.segments[segment].order;
  begin_segment(sees_roots_ ? order : order + 1);
  if (static_cast<int>(path_.segments.size()) > most_images) fail(Outcome::too_many_images, t);
  if (!is_active_) record_.ending.condition = model_.delays->texts[delay];
  const bool may_move = board_ && ((roots_ && order == 0) || model_.discontinuities->truths > 0 ||
                                   !model_.discontinuities->conditional.empty());
  if (!is_active_ || !may_move) return true;
  const std::size_t from = record_.jumps.size();
  board_->see_anew(t, path_.steps(), x_);
  take_over_board();
  if (is_active_) add_jumps(t, from, true);
  return true;
}

// Stops stand still; a point that moves is followed by one that does not, at the same time.
template <class StepRule>
void DelayedFlight<StepRule>::note_stop(double t) {
  if (path_.points.back().kind != Kind::fixed) {
    move_nowhere(x_.data());
    add_point(t);
  }
  path_.points.back().stop = static_cast<int>(next_stop_);
  if (board_) board_->stop_here();
  record_.stop_slot.push_back(path_.steps());
  record_.seen_at_stop.insert(record_.seen_at_stop.end(), x_.begin(), x_.end());
  std::vector<double> values(past_.count());
  see(t, values.data(), nullptr);
  record_.seen_at_stop.insert(record_.seen_at_stop.end(), values.begin(), values.end());
  if (++next_stop_ == launch_.stops[0].size()) is_active_ = false;
}

// --- points and segments -------------------------------------------------------------------------------------------

// It reads what the point before it did, and goes by what stands still there.
template <class StepRule>
DelayedPath::Point& DelayedFlight<StepRule>::add_point(double t) {
  const std::size_t delays = path_.tau.size();
  std::vector<int> reads(delays, -1);
  if (!path_.points.empty())
    std::copy_n(path_.segment.end() - static_cast<std::ptrdiff_t>(delays), delays, reads.begin());
  path_.segment.insert(path_.segment.end(), reads.begin(), reads.end());
  const auto frozen = path_.points.empty() ? nullptr : path_.points.back().frozen;
  const int jumps = path_.points.empty() ? 0 : path_.points.back().jump_end;
  path_.points.push_back({.t = t, .jump_begin = jumps, .jump_end = jumps, .frozen = frozen});
  return path_.points.back();
}

// A step of length zero from the last point, in which f is what it is there.
template <class StepRule>
void DelayedFlight<StepRule>::move_nowhere(const double* x) {
  path_.x.insert(path_.x.end(), x, x + d_);
  std::vector<double> f(d_);
  if (const auto& frozen = path_.points.back().frozen; frozen && !frozen->empty())
    std::copy(frozen->begin(), frozen->end(), p_.begin() + model_.discontinuities->first);
  velocity(path_.points.back().t, x, f.data());
  for (int i = 0; i < stages_; ++i) path_.k.insert(path_.k.end(), f.begin(), f.end());
  if (board_) go_by_board();
}

// What the switchboard has noted: each jump that has a time of its own is a point. Where the first one belongs there is
// a point already, or it ends the step.
template <class StepRule>
void DelayedFlight<StepRule>::add_jumps(double t, std::size_t from, bool has_arrived) {
  for (std::size_t n = from; n < record_.jumps.size(); ++n) {
    const Jump& jump = record_.jumps[n];
    if (jump.function >= 0) {
      if (n > from || has_arrived) move_nowhere(jump.before.data());
      DelayedPath::Point& point = add_point(t);
      if (!model_.discontinuities->functions[jump.function].is_fixed()) {
        point.kind = Kind::crossing;
        point.function = jump.function;
      }
    }
    DelayedPath::Point& point = path_.points.back();
    point.jump_begin = std::min(point.jump_begin, static_cast<int>(n));
    point.jump_end = static_cast<int>(n) + 1;
    point.frozen = jump.frozen;
    if (jump.function >= 0 || jump.event >= 0) begin_segment(order_of(jump));
  }
}

// The order of the derivative of x that jumps there.
template <class StepRule>
int DelayedFlight<StepRule>::order_of(const Jump& jump) const {
  if (jump.event >= 0) return 0;
  const int input = model_.discontinuities->functions[jump.function].input;
  if (input < 0) return 1;
  const int numbers = model_.inputs[input].numbers;
  return numbers == 1 ? 1 : numbers == 3 ? 2 : 4;
}

// Where a point begins two, it is by the lower order.
template <class StepRule>
void DelayedFlight<StepRule>::begin_segment(int order) {
  if (order >= method_.order) return;
  const int point = static_cast<int>(path_.points.size()) - 1;
  if (!path_.segments.empty() && path_.segments.back().point == point)
    path_.segments.back().order = std::min(path_.segments.back().order, order);
  else
    path_.segments.push_back({point, order});
}

template <class StepRule>
bool DelayedFlight<StepRule>::is_board_fine() {
  if (const Ending& trouble = board_->trouble(); !trouble.ok()) {
    record_.ending = trouble;
    is_active_ = false;
  }
  return is_active_;
}

// The state after what has acted.
template <class StepRule>
void DelayedFlight<StepRule>::take_over_board() {
  if (!is_board_fine()) return;
  x_ = board_->x();
  go_by_board();
}

// What stands still within a step is what the switchboard says.
template <class StepRule>
void DelayedFlight<StepRule>::go_by_board() {
  const std::span<const double> frozen = board_->frozen();
  std::copy(frozen.begin(), frozen.end(), p_.begin() + model_.discontinuities->first);
}

template class DelayedFlight<FixedStep>;
template class DelayedFlight<ErrorControl>;
template class DelayedFlight<StiffErrorControl>;

}  // namespace salvo::integrate
