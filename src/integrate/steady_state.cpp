#include "integrate/steady_state.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "dense/modes.hpp"
#include "dense/pivoted_qr.hpp"
#include "integrate/conserved.hpp"
#include "integrate/delayed/modes.hpp"
#include "integrate/integrator.hpp"

namespace salvo::integrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double search_rtol = 1e-5;       // of the trajectory that is followed
constexpr double derivative_rtol = 1e-11;  // of one whose steps are differentiated
constexpr double growth = 4;               // of the time followed, from one piece to the next
constexpr int most_pieces = 40;
constexpr int most_steps = 5'000;  // of one piece, towards a point that attracts; what oscillates needs ever more
constexpr int most_steps_with_past = 20'000;
constexpr int steps_astray = 500;  // of one piece where no such point is in sight: some twenty oscillations
constexpr int newton_steps = 12;
constexpr double contraction = 0.5;
constexpr double newton_accuracy = 1e-13;  // of a step, against the size of each state
constexpr double newton_noise = 1e-9;      // steps below it may stop to shrink: they are rounding
constexpr double singular = 1e-11;         // pivots against the largest
constexpr double approach = 0.5;           // what is left of the distance to x* after the next piece, at most
constexpr double at_rest = 1e-10;          // change over a piece, against the size of each state

class Search {
 public:
  Search(const compile::CompiledModel& model, std::span<const double> x0, std::span<const double> p)
      : model_(model),
        p_(p),
        point_(model.still ? *model.still : model, p),
        x0_(Eigen::Map<const VectorXd>(x0.data(), model.states)),
        x_(x0_) {
    note_sizes();
  }

  SteadyState run(bool with_derivatives) {
    SteadyState out = find(with_derivatives);
    out.evaluations = evaluations_;
    return out;
  }

 private:
  SteadyState find(bool with_derivatives) {
    if (!point_.f(x0_).allFinite()) return failure();
    if (!model_.still) conserved_ = conserved_quantities(point_, x0_, all_sizes());
    double piece = first_piece();
    if (model_.still) return find_with_past(piece, with_derivatives);
    for (int k = 0; k < most_pieces; ++k, piece *= growth) {
      const std::optional<Candidate> candidate = has_events_ ? std::nullopt : look_ahead();
      const VectorXd before = x_;
      const bool is_on_its_way = has_events_ || (candidate && candidate->attracts);
      if (is_on_its_way && candidate) piece = std::max(piece, candidate->slowest_decay);
      if (!follow(piece, is_on_its_way ? most_steps : steps_astray)) return failure();
      if (candidate && approaches(before, *candidate)) return at(candidate->x, with_derivatives);
      still_ = distance(before, x_) <= at_rest ? still_ + 1 : 0;
      if (still_ >= 2 && (is_singular_ || has_events_)) return at_end_of_trajectory(with_derivatives);
    }
    return failure();
  }

  // The trajectory is taken from its start each time, for it cannot be cut. It rests where all that is still seen of it
  // stands still: what it was over the longest delay.
  SteadyState find_with_past(double first_piece, bool with_derivatives) {
    tau_ = model_.delays_at(p_.data(), 1);
    const double longest = *std::max_element(tau_.begin(), tau_.end());
    if (!(longest > 0)) return failure();
    elapsed_ = std::max(first_piece, 2 * longest);
    for (int k = 0; k < most_pieces; ++k, elapsed_ *= growth) {
      const VectorXd before = x_;
      if (!follow_from_start(longest)) return failure();
      if (const auto x = has_events_ ? std::nullopt : newton(); x && unrest(*x) <= search_rtol * 10)
        return decays_at(*x) ? at(*x, with_derivatives) : failure();
      still_ = std::max(unrest(x_), distance(before, x_)) <= at_rest ? still_ + 1 : 0;
      if (still_ >= 2 && (is_singular_ || has_events_)) return at_end_of_trajectory(with_derivatives);
    }
    return failure();
  }

  bool follow_from_start(double longest) {
    constexpr int looks = 8;
    std::vector<double> stops;
    for (int n = looks; n >= 0; --n) stops.push_back(elapsed_ - longest * n / looks);
    Record<1> record{.keeps_steps = false};
    const Launch<1> launch{.max_steps = most_steps_with_past, .stops = {stops}, .x0 = x0_.data(), .p = p_.data()};
    integrate<1>(model_, model::Rodas5p{.rtol = search_rtol}, launch, record, scratch_);
    evaluations_ += record.rhs;
    if (!record.ending[0].ok()) return false;
    seen_.clear();
    for (std::size_t n = 0; n < stops.size(); ++n)
      seen_.push_back(Eigen::Map<const VectorXd>(record.x_stop[0].data() + n * model_.observed(), model_.states));
    x_ = seen_.back();
    note_sizes();
    return x_.allFinite();
  }

  // How far the trajectory has been from there over the longest delay.
  double unrest(const VectorXd& x) const {
    double largest = 0;
    for (const VectorXd& seen : seen_) largest = std::max(largest, distance(seen, x));
    return largest;
  }

  // Does what is near it die away?
  bool decays_at(const VectorXd& x) {
    const auto modes = delayed_modes(model_, tau_, p_, x);
    return !modes || modes->real().maxCoeff() <= 1e-8 * modes->cwiseAbs().maxCoeff();
  }

  void note_sizes() {
    if (sizes_.size() == 0) sizes_ = VectorXd::Zero(x_.size());
    sizes_ = sizes_.cwiseMax(x_.cwiseAbs());
  }
  // What has been zero so far is measured by the others.
  double size_of(int i) const {
    if (sizes_[i] > 0) return sizes_[i];
    const double largest = sizes_.maxCoeff();
    return largest > 0 ? largest : 1.0;
  }
  VectorXd all_sizes() const {
    return VectorXd::NullaryExpr(sizes_.size(), [&](Eigen::Index i) { return size_of(static_cast<int>(i)); });
  }
  double distance(const VectorXd& a, const VectorXd& b) const {
    double largest = 0;
    for (int i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]) / size_of(i));
    return largest;
  }

  // The time in which the fastest state changes by its size.
  double first_piece() {
    const VectorXd f = point_.f(x0_);
    double rate = 0;
    for (int i = 0; i < f.size(); ++i) rate = std::max(rate, std::abs(f[i]) / size_of(i));
    return rate > 0 ? 1 / rate : 1;
  }

  bool follow(double time, int steps) {
    Record<1> record{.keeps_steps = false};
    const double begin = has_events_ ? elapsed_ : 0;
    const std::array<double, 1> stop{begin + time};
    const Launch<1> launch{.max_steps = steps,
                           .begin = {begin},
                           .stops = {stop},
                           .x0 = x_.data(),
                           .p = p_.data(),
                           .is_start = {begin == 0}};
    integrate<1>(model_, model::Rodas5p{.rtol = search_rtol}, launch, record, scratch_);
    evaluations_ += record.rhs;
    if (!record.ending[0].ok()) return false;
    x_ = Eigen::Map<const VectorXd>(record.x_stop[0].data(), model_.states);
    elapsed_ += time;
    note_sizes();
    return x_.allFinite();
  }

  // --- f(x) = 0, L x = L x0 ---

  // The equations for a change of x, every row of size one.
  struct Linear {
    VectorXd row_size{};
    VectorXd column_size{};
    dense::PivotedQr qr{};

    MatrixXd solve(const MatrixXd& right) const {
      return column_size.asDiagonal() * qr.solve(row_size.cwiseInverse().asDiagonal() * right);
    }
  };
  std::optional<Linear> linearize(const VectorXd& x) {
    const int d = model_.states;
    MatrixXd M(d + conserved_.count(), d);
    M << point_.f_x(x), conserved_.L;
    if (!M.allFinite()) return std::nullopt;
    Linear linear;
    linear.column_size = all_sizes();
    M = M * linear.column_size.asDiagonal();
    linear.row_size = M.rowwise().norm();
    for (double& size : linear.row_size)
      if (!(size > 0)) size = 1;
    linear.qr = dense::PivotedQr(linear.row_size.cwiseInverse().asDiagonal() * M, singular);
    is_singular_ = linear.qr.rank() < d;
    if (is_singular_) return std::nullopt;
    return linear;
  }

  // Newton's method from where the trajectory stands, as long as it contracts.
  std::optional<VectorXd> newton() {
    VectorXd x = x_;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < newton_steps; ++k) {
      const auto linear = linearize(x);
      if (!linear) return std::nullopt;
      VectorXd right(x.size() + conserved_.count());
      right << -point_.f(x), conserved_.L * (x0_ - x);
      const VectorXd step = linear->solve(right);
      if (!step.allFinite()) return std::nullopt;
      const double length = distance(x + step, x);
      if (length > contraction * last) {
        if (last > newton_noise) return std::nullopt;
        return x;
      }
      x += step;
      last = length;
      if (length <= newton_accuracy) return x;
    }
    return std::nullopt;
  }

  // What Newton's method finds from where the trajectory stands, and how trajectories near it move.
  struct Candidate {
    VectorXd x{};
    bool is_stable = false;
    bool attracts = false;     // stable, and what oscillates about it is damped
    double slowest_decay = 0;  // the time in which the slowest mode decays by e
  };
  std::optional<Candidate> look_ahead() {
    constexpr double rounding_of_modes = 1e-8;
    const auto x = newton();
    if (!x) return std::nullopt;
    Candidate out{.x = *x};
    const auto modes = dense::eigenvalues(point_.f_x(*x));
    if (!modes) return out;
    const double negligible = rounding_of_modes * modes->cwiseAbs().maxCoeff();
    out.is_stable = modes->real().maxCoeff() <= negligible;
    out.attracts = true;
    for (const std::complex<double>& mode : *modes) {
      const bool decays = mode.real() < -negligible;
      if (decays) out.slowest_decay = std::max(out.slowest_decay, -1 / mode.real());
      out.attracts = out.attracts && (decays || (mode.real() <= negligible && std::abs(mode.imag()) <= negligible));
    }
    return out;
  }

  // Has the trajectory gone on towards the candidate, which repels nothing?
  bool approaches(const VectorXd& before, const Candidate& candidate) const {
    const double left = distance(x_, candidate.x);
    return candidate.is_stable && left <= std::max(approach * distance(before, candidate.x), search_rtol * 10);
  }

  // --- results ---

  static Matrix plain(const MatrixXd& m) {
    Matrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
    Eigen::Map<MatrixXd>(out.data.data(), m.rows(), m.cols()) = m;
    return out;
  }

  SteadyState failure() {
    SteadyState out{.x = {x_.begin(), x_.end()}};
    const VectorXd f = point_.f(x_);
    double fastest = -1;
    for (int i = 0; i < f.size(); ++i)
      if (const double rate = std::abs(f[i]) / size_of(i); !(rate <= fastest)) fastest = rate, out.moving = i;
    return out;
  }

  SteadyState at(const VectorXd& x, bool with_derivatives) {
    SteadyState out{.is_found = true, .x = {x.begin(), x.end()}};
    if (!with_derivatives) return out;
    const auto linear = linearize(x);
    const int d = model_.states;
    const int m = conserved_.count();
    MatrixXd by_x0(d + m, d);
    by_x0 << MatrixXd::Zero(d, d), conserved_.L;
    MatrixXd by_p(d + m, model_.active);
    by_p << -point_.f_p(x), -change_of_conserved(point_, conserved_, x - x0_);
    out.by_x0 = plain(linear->solve(by_x0));
    out.by_p = plain(linear->solve(by_p));
    return out;
  }

  // The trajectory is followed once more, accurately, with the derivatives of its steps.
  SteadyState at_end_of_trajectory(bool with_derivatives) {
    Record<1> record{.keeps_steps = with_derivatives};
    const std::array<double, 1> stop{elapsed_};
    const Launch<1> launch{.stops = {stop}, .x0 = x0_.data(), .p = p_.data()};
    const model::Integrator integrator = model::Rodas5p{.rtol = derivative_rtol};
    integrate<1>(model_, integrator, launch, record, scratch_);
    evaluations_ += record.rhs;
    if (!record.ending[0].ok()) return failure();
    SteadyState out{.is_found = true, .x = {record.x_stop[0].begin(), record.x_stop[0].begin() + model_.states}};
    if (!with_derivatives) return out;
    const std::vector<Seed> units = unit_seeds(model_);
    const int d = model_.states;
    const Seeds<1> seeds{.columns = {d + model_.active}, .of_lane = {units}};
    tangent<1>(
        model_, integrator, launch, record, seeds,
        [&](int, int, const double* T) {
          const int o = model_.observed();
          const Eigen::Map<const MatrixXd> all(T, o, d + model_.active);
          out.by_x0 = plain(all.topLeftCorner(d, d));
          out.by_p = plain(all.topRightCorner(d, model_.active));
        },
        scratch_);
    return out;
  }

  const compile::CompiledModel& model_;
  std::span<const double> p_;
  PointModel point_;
  VectorXd x0_, x_, sizes_{};
  ConservedQuantities conserved_{};
  Scratch scratch_{};
  double elapsed_ = 0;
  long evaluations_ = 0;
  // What events do depends on the way and on the time: then the trajectory is all there is. So it is with algebraic
  // equations, whose rows of f say nothing of rates.
  bool has_events_ = (model_.discontinuities && !model_.discontinuities->events.empty()) || !model_.algebraic.empty();
  std::vector<double> tau_{};     // delays
  std::vector<VectorXd> seen_{};  // of a trajectory that looks into its own past, over the longest delay
  int still_ = 0;                 // pieces over which nothing has moved
  bool is_singular_ = false;      // f_x with L, where Newton's method last stood
};

}  // namespace

SteadyState steady_state(const compile::CompiledModel& model, std::span<const double> x0, std::span<const double> p,
                         bool with_derivatives) {
  return Search(model, x0, p).run(with_derivatives);
}

std::string describe(const SteadyState& state, std::span<const std::string> state_names) {
  if (state.is_found) return "the steady state is reached";
  return fmt::format("there is no steady state: {} still moves", state_names[state.moving]);
}

}  // namespace salvo::integrate
