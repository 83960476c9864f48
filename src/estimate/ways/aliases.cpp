#include "estimate/ways/aliases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "dense/pivoted_qr.hpp"
#include "estimate/answer/motion.hpp"
#include "estimate/quantities.hpp"
#include "integrate/integrator.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::estimate {
namespace {

// What counts as nothing for derivatives by differences, and for exponents that are half numbers.
constexpr double difference = 1e-5;  // of a quantity, relative
constexpr double left_over = 0.05;   // of what a change of pace does, by quantities that set the pace
constexpr double rounding = 0.1;     // between an exponent and the half number that it is
constexpr double is_a_turn = 1e-6;   // of the range of a curve, by which it has to turn back

// One observable of one experiment along its trajectory, at equal distances of time from the start.
struct Curve {
  double start = 0;
  double step = 0;
  std::vector<double> value{};
  double at(double time) const {
    const double place = (time - start) / step;
    const auto before = static_cast<std::size_t>(std::max(place, 0.0));
    if (before + 1 >= value.size()) return value.back();
    const double part = place - static_cast<double>(before);
    return (1 - part) * value[before] + part * value[before + 1];
  }
  double slope(double time) const { return (at(time + 0.5 * step) - at(time - 0.5 * step)) / step; }
};

// What is measured: where it stands on its curve, and its noise.
struct Seen {
  int curve = 0;
  double time = 0;
  double noise = 1;
};

class Pace {
 public:
  Pace(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request,
       const AnswerRules& rules, const RunContext& context)
      : shooting_(shooting), q_(q), request_(request), rules_(rules), context_(context), all_(quantities(shooting)) {}

  std::vector<Image> aliases() {
    std::vector<Image> out;
    if (!find_measured() || !follow(1) || turns() == 0 || !find_exponents()) return out;
    const double samples = static_cast<double>(intervals_);
    const double in_a_period = 2 * samples / turns();
    fastest_ = std::min(2 * in_a_period + 1, most_points / (samples * rules_.between));
    if (fastest_ <= 1 || !follow(fastest_)) return out;
    for (const double pace : paces_that_say_the_same())
      out.push_back({at_pace(pace), fmt::format("everything runs {:.3g} times as fast", pace)});
    return out;
  }

 private:
  double on_scale_of_law(int observable, double value) const {
    return model::is_logarithmic(shooting_.problem().observables[observable].distribution) ? std::log(value) : value;
  }

  bool find_measured() {
    const model::Problem& problem = shooting_.problem();
    if (!shooting_.predict(q_, request_, predicted_).ok) return false;
    for (std::size_t i = 0; i < problem.measurements.size(); ++i) {
      const model::Measurement& m = problem.measurements[i];
      if (!std::isfinite(m.time)) return false;
      const std::pair<int, int> key{m.experiment, m.observable};
      auto place = std::find(keys_.begin(), keys_.end(), key);
      if (place == keys_.end()) place = keys_.insert(keys_.end(), key);
      const double noise =
          model::spread(problem.observables[m.observable].law(), predicted_[i].simulation, predicted_[i].sigma);
      if (!(noise > 0)) return false;
      seen_.push_back({static_cast<int>(place - keys_.begin()), m.time, noise});
    }
    return !seen_.empty();
  }

  // All curves, `times` as long as the data are.
  bool follow(double times) {
    curves_.assign(keys_.size(), {});
    const model::Integrator& given = shooting_.options().integrator;
    const model::Integrator integrator = request_.stiff ? integrate::for_stiff(given) : given;
    intervals_ = 0;
    for (int c = 0; c < static_cast<int>(shooting_.grids().size()); ++c) {
      const shooting::Grid& grid = shooting_.grids()[c];
      std::vector<double> measured;
      for (const Seen& each : seen_)
        if (keys_[each.curve].first == grid.experiment) measured.push_back(each.time);
      std::sort(measured.begin(), measured.end());
      measured.erase(std::unique(measured.begin(), measured.end()), measured.end());
      const double start = grid.tau.front();
      const int samples = static_cast<int>(measured.size()) - (measured.front() == start ? 1 : 0);
      if (samples == 0) return false;
      intervals_ = std::max(intervals_, samples);
      const double step = (measured.back() - start) / (samples * rules_.between);
      std::vector<double> looked_at;
      for (int k = 1; k <= std::ceil(times * samples * rules_.between) + 1; ++k) looked_at.push_back(start + k * step);
      const shooting::ExperimentValues values = shooting_.values_of(c, q_, false);
      const std::vector<double> state = shooting_.node_state(c, 0, q_);
      const shooting::Trajectory arc = shooting::trajectory(
          shooting_.model(), integrator, {start, grid.experiment, true}, state, values.p, looked_at, shooting_.stop());
      if (!arc.ending.ok()) return false;
      take_curves(grid.experiment, start, step, shooting::observables_along(shooting_.model(), arc, values.p));
    }
    return true;
  }
  void take_curves(int experiment, double start, double step, const Matrix& observables) {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (keys_[k].first != experiment) continue;
      curves_[k] = {start + step, step, {}};
      for (int j = 0; j < observables.cols; ++j)
        curves_[k].value.push_back(on_scale_of_law(keys_[k].second, observables(keys_[k].second, j)));
    }
  }

  // How often the curve turns back that does so most often.
  int turns() const {
    int most = 0;
    for (const Curve& curve : curves_) {
      const auto [least, largest] = std::minmax_element(curve.value.begin(), curve.value.end());
      const double threshold = is_a_turn * (*largest - *least);
      int count = 0, direction = 0;
      double last = curve.value.front();
      for (const double value : curve.value) {
        if (!(std::abs(value - last) > threshold)) continue;
        const int now = value > last ? 1 : -1;
        count += direction != 0 && now != direction ? 1 : 0;
        direction = now;
        last = value;
      }
      most = std::max(most, count);
    }
    return most;
  }

  nlp::Point changed(const std::vector<double>& exponents, double factor) const {
    nlp::Point q = q_;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const model::Scale scale = all_[i].estimated->scale;
      const int k = all_[i].unknown;
      if (exponents[i] != 0)
        q[k] = model::to_scale(scale, model::from_scale(scale, q_[k]) * std::pow(factor, exponents[i]));
    }
    return q;
  }
  nlp::Point at_pace(double pace) const { return changed(exponents_, pace); }

  // Everything runs c times as fast if every quantity becomes c^e times as large: y(t; q(c)) = y(t_0 + c (t - t_0); q).
  // By c, at c = 1:
  //     Σ_i e_i q_i dy/dq_i = (t - t_0) dy/dt     at every measurement.
  // What sets the pace does so by simple powers; whatever else solves this does so by chance, and is left.
  bool find_exponents() {
    const auto rows = static_cast<Eigen::Index>(seen_.size()), columns = static_cast<Eigen::Index>(all_.size());
    if (rows < columns) return false;
    Eigen::MatrixXd by_quantity = Eigen::MatrixXd::Zero(rows, columns);
    Eigen::VectorXd by_pace(rows);
    for (Eigen::Index k = 0; k < rows; ++k) {
      const Curve& curve = curves_[seen_[k].curve];
      by_pace(k) = (seen_[k].time - (curve.start - curve.step)) * curve.slope(seen_[k].time) / seen_[k].noise;
    }
    const nlp::Layout& layout = shooting_.layout();
    std::vector<shooting::ShootingProblem::Predicted> moved;
    for (Eigen::Index i = 0; i < columns; ++i) {
      if (context_.should_stop() || context_.is_spent()) return false;
      const int unknown = all_[i].unknown;
      if (unknown < layout.thetas && layout.noise_only[unknown]) continue;
      std::vector<double> only(all_.size(), 0.0);
      only[i] = 1;
      if (!shooting_.predict(changed(only, 1 + difference), request_, moved).ok) return false;
      for (Eigen::Index k = 0; k < rows; ++k) {
        const int observable = keys_[seen_[k].curve].second;
        by_quantity(k, i) =
            (on_scale_of_law(observable, moved[k].simulation) - on_scale_of_law(observable, predicted_[k].simulation)) /
            (difference * seen_[k].noise);
      }
    }
    if (!by_quantity.allFinite() || !by_pace.allFinite()) return false;
    Eigen::VectorXd exponents = dense::pivoted_least_squares(by_quantity, by_pace);
    for (double& e : exponents) {
      const double simple = 0.5 * std::round(2 * e);
      if (!(std::abs(e - simple) <= rounding)) return false;
      e = simple;
    }
    exponents_.assign(exponents.begin(), exponents.end());
    return exponents.squaredNorm() > 0 && (by_quantity * exponents - by_pace).norm() <= left_over * by_pace.norm();
  }

  // How far the curves at this pace are from those of the answer at the measurements: the mean square, in noises.
  double distance(double pace) const {
    double sum = 0;
    for (const Seen& each : seen_) {
      const Curve& curve = curves_[each.curve];
      const double start = curve.start - curve.step;
      sum += std::pow((curve.at(start + pace * (each.time - start)) - curve.at(each.time)) / each.noise, 2);
    }
    return sum / static_cast<double>(seen_.size());
  }
  // By golden sections, to a thousandth of what was looked at.
  double lowest_between(double from, double to) const {
    constexpr double golden = 0.6180339887498949;
    for (const double width = 1e-3 * (to - from); to - from > width;) {
      const double left = to - golden * (to - from), right = from + golden * (to - from);
      (distance(left) < distance(right) ? to : from) = distance(left) < distance(right) ? right : left;
    }
    return 0.5 * (from + to);
  }
  std::vector<double> paces_that_say_the_same() const {
    const double step = 1.0 / (intervals_ * rules_.between);
    std::vector<double> found;
    double before = distance(step), here = distance(2 * step);
    for (int k = 2; (k + 1) * step < fastest_; ++k) {
      const double after = distance((k + 1) * step);
      const double pace = k * step;
      if (here <= before && here < after && here <= rules_.alias && std::abs(pace - 1) > 1.5 * step)
        found.push_back(lowest_between(pace - step, pace + step));
      before = here;
      here = after;
    }
    // The slowest first: if any of them is to be the answer, it is that one.
    found.resize(std::min<std::size_t>(found.size(), rules_.followed));
    return found;
  }

  const shooting::ShootingProblem& shooting_;
  const nlp::Point& q_;
  const nlp::Request& request_;
  const AnswerRules& rules_;
  const RunContext& context_;
  std::vector<Quantity> all_;
  std::vector<shooting::ShootingProblem::Predicted> predicted_{};
  std::vector<std::pair<int, int>> keys_{};  // experiment and observable of each curve
  std::vector<Seen> seen_{};                 // in the order of the measurements
  std::vector<Curve> curves_{};
  std::vector<double> exponents_{};
  int intervals_ = 0;  // between the measurements of the experiment that has most
  double fastest_ = 1;
};

}  // namespace

std::vector<Image> aliases_of(const shooting::ShootingProblem& unbroken, const nlp::Point& q,
                              const nlp::Request& request, const AnswerRules& rules, const RunContext& context) {
  return Pace(unbroken, q, request, rules, context).aliases();
}

}  // namespace salvo::estimate
