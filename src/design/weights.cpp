#include "design/weights.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace salvo::design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_at_once = 250;  // candidates in one run of the interior-point method: seconds
constexpr double proved = 1e-7;            // by how much d_i may exceed the level, relative to it
constexpr int most_rounds = 60;
constexpr int most_iterations = 150;
constexpr double last_part = 1e-5;  // of the duality gap, on which proofs are looked for
constexpr double vanished = 1e-7;   // the part of the budget below which a weight is rounding

// --- the interior-point method on some of the candidates -------------------------------------------------------------

// min loss(w)  s.t.  c'w = budget,  0 <= w <= u, by Newton's method on
//   -d + c nu - z + y = 0,   z_i w_i = mu,   y_i (u_i - w_i) = mu,   c'w = budget.
class InteriorPoint {
 public:
  InteriorPoint(const Problem& problem, const Purse& purse, std::span<const int> among)
      : problem_(problem), among_(among), n_(static_cast<Index>(among.size())), c_(n_), u_(n_), budget_(purse.budget) {
    for (Index i = 0; i < n_; ++i) {
      c_[i] = purse.cost[at(i)];
      u_[i] = std::min(purse.limit[at(i)], 2 * budget_ / c_[i]);  // beyond the budget there is no limit
    }
    w_ = u_ * (budget_ / c_.dot(u_));
  }

  // The weights of all candidates on the last part of the way; the last are the best.
  std::vector<std::vector<double>> run(const std::function<bool()>& should_stop) {
    evaluate();
    scale_ = problem_.criterion == model::DesignCriterion::D ? 1 : now_.loss;
    mu_ = 0.1 * now_.sensitivity.dot(w_) / scale_ / static_cast<double>(n_);
    z_ = mu_ * w_.cwiseInverse();
    y_ = mu_ * (u_ - w_).cwiseInverse();
    nu_ = now_.sensitivity.dot(w_) / scale_ / budget_;
    std::vector<std::vector<double>> way;
    for (int k = 0; k < most_iterations && !should_stop(); ++k) {
      const double complementarity = (z_.dot(w_) + y_.dot(u_ - w_)) / static_cast<double>(2 * n_);
      if (complementarity * static_cast<double>(n_) < last_part) way.push_back(all_weights());
      if (complementarity * static_cast<double>(n_) < 1e-11 && dual_residual().lpNorm<Eigen::Infinity>() < 1e-9 * nu_)
        break;
      mu_ = 0.1 * complementarity;
      if (!step()) break;
    }
    way.push_back(all_weights());
    return way;
  }

 private:
  std::vector<double> all_weights() const {
    std::vector<double> all(static_cast<std::size_t>(problem_.candidates()), 0.0);
    for (Index i = 0; i < n_; ++i) all[at(i)] = w_[i];
    return all;
  }
  std::size_t at(Index i) const { return static_cast<std::size_t>(among_[static_cast<std::size_t>(i)]); }

  void evaluate() { now_ = derivatives(problem_, information(problem_, all_weights()), among_, true); }

  VectorXd dual_residual() const { return -now_.sensitivity / scale_ + c_ * nu_ - z_ + y_; }

  double residual() const {
    const double complementarity = (z_.cwiseProduct(w_).array() - mu_).matrix().squaredNorm() +
                                   (y_.cwiseProduct(u_ - w_).array() - mu_).matrix().squaredNorm();
    return std::sqrt(dual_residual().squaredNorm() + complementarity);
  }

  // The longest step up to one after which all of them are still positive.
  static double room(const VectorXd& value, const VectorXd& by) {
    double longest = 1;
    for (Index i = 0; i < value.size(); ++i)
      if (by[i] < 0) longest = std::min(longest, -0.995 * value[i] / by[i]);
    return longest;
  }

  bool step() {
    const VectorXd slack = u_ - w_;
    MatrixXd K = MatrixXd::Zero(n_ + 1, n_ + 1);
    K.topLeftCorner(n_, n_) = now_.second / scale_;
    K.topLeftCorner(n_, n_).diagonal() += z_.cwiseQuotient(w_) + y_.cwiseQuotient(slack);
    K.topRightCorner(n_, 1) = c_;
    K.bottomLeftCorner(1, n_) = c_.transpose();
    VectorXd right(n_ + 1);
    right.head(n_) = now_.sensitivity / scale_ - c_ * nu_ + mu_ * w_.cwiseInverse() - mu_ * slack.cwiseInverse();
    right[n_] = budget_ - c_.dot(w_);
    const VectorXd by = Eigen::PartialPivLU<MatrixXd>(K).solve(right);
    if (!by.allFinite()) return false;
    const VectorXd dw = by.head(n_);
    const VectorXd dz = mu_ * w_.cwiseInverse() - z_ - z_.cwiseProduct(dw).cwiseQuotient(w_);
    const VectorXd dy = mu_ * slack.cwiseInverse() - y_ + y_.cwiseProduct(dw).cwiseQuotient(slack);
    double length = std::min({room(w_, dw), room(slack, -dw), room(z_, dz), room(y_, dy)});
    const auto [w, z, y, nu, before] = std::tuple(w_, z_, y_, nu_, residual());
    for (int halved = 0; halved < 12; ++halved, length *= 0.5) {
      w_ = w + length * dw;
      z_ = z + length * dz;
      y_ = y + length * dy;
      nu_ = nu + length * by[n_];
      evaluate();
      if (std::isfinite(now_.loss) && residual() <= (1 - 1e-3 * length) * before + 1e-13) return true;
    }
    return std::isfinite(now_.loss);  // as far as rounding goes
  }

  const Problem& problem_;
  std::span<const int> among_;
  Index n_;
  VectorXd c_, u_, w_, z_, y_;
  double budget_ = 0, nu_ = 0, mu_ = 0, scale_ = 1;
  Derivatives now_{};
};

// --- all candidates --------------------------------------------------------------------------------------------------

// The most that sum w_i d_i can be: the budget goes to those with the largest d_i / cost_i, each up to its limit.
double most_of(const Purse& purse, const VectorXd& sensitivity) {
  std::vector<int> order(purse.cost.size());
  std::iota(order.begin(), order.end(), 0);
  const auto worth = [&](int i) { return sensitivity[i] / purse.cost[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return worth(a) > worth(b); });
  double left = purse.budget;
  double sum = 0;
  for (const int i : order) {
    const auto k = static_cast<std::size_t>(i);
    const double taken = std::min(purse.limit[k], left / purse.cost[k]);
    sum += taken * sensitivity[i];
    left -= taken * purse.cost[k];
    if (!(left > 0)) break;
  }
  return sum;
}

bool is_at_limit(const Purse& purse, const std::vector<double>& w, std::size_t i) {
  return w[i] >= purse.limit[i] * (1 - 1e-6);
}

Weights proved_at(const Problem& problem, const Purse& purse, std::vector<double> w) {
  const std::vector<MatrixXd> F = information(problem, w);
  const Support at = support(problem, F);
  Weights out{.w = std::move(w), .loss = loss(problem, F)};
  double held_free = 0, worth_free = 0;
  for (std::size_t i = 0; i < out.w.size(); ++i) {
    const double each = at.sensitivity[static_cast<Index>(i)];
    out.sensitivity.push_back(each / purse.cost[i]);
    if (is_at_limit(purse, out.w, i)) continue;
    held_free += purse.cost[i] * out.w[i];
    worth_free += out.w[i] * each;
    out.largest = std::max(out.largest, out.sensitivity.back());
  }
  out.level = held_free > 0 ? worth_free / held_free : out.largest;
  out.least_loss = std::min(least_loss(problem, at, most_of(purse, at.sensitivity)), out.loss);
  return out;
}

// Small weights are rounding of zero; the rest keeps the budget.
std::vector<double> without_traces(const Purse& purse, std::vector<double> w) {
  double spent = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (w[i] * purse.cost[i] < vanished * purse.budget) w[i] = 0;
    spent += w[i] * purse.cost[i];
  }
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::min(w[i] * purse.budget / spent, purse.limit[i]);
  return w;
}

// Every k-th of many, and those that tell most where all count alike.
std::vector<int> first_choice(const Problem& problem) {
  const int n = problem.candidates();
  std::vector<int> chosen;
  const int every =
      std::max(1, static_cast<int>((static_cast<std::size_t>(n) + most_at_once / 2 - 1) / (most_at_once / 2)));
  for (int i = 0; i < n; i += every) chosen.push_back(i);
  if (every == 1 || static_cast<std::size_t>(n) <= most_at_once) {
    chosen.resize(static_cast<std::size_t>(n));
    std::iota(chosen.begin(), chosen.end(), 0);
    return chosen;
  }
  const std::vector<double> even(static_cast<std::size_t>(n), 1.0);
  const VectorXd d = support(problem, information(problem, even)).sensitivity;
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return d[a] > d[b]; });
  chosen.insert(chosen.end(), order.begin(), order.begin() + most_at_once / 4);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// The support of the weights, and those that the theorem says were wrongly left out, the worst first.
std::vector<int> next_choice(const Purse& purse, const Weights& at) {
  std::vector<int> chosen, missing;
  for (std::size_t i = 0; i < at.w.size(); ++i) {
    if (at.w[i] > 0)
      chosen.push_back(static_cast<int>(i));
    else if (at.sensitivity[i] > at.level)
      missing.push_back(static_cast<int>(i));
  }
  const auto worth = [&](int i) { return at.sensitivity[static_cast<std::size_t>(i)]; };
  std::stable_sort(missing.begin(), missing.end(), [&](int a, int b) { return worth(a) > worth(b); });
  const std::size_t room = most_at_once > chosen.size() ? most_at_once - chosen.size() : 1;
  missing.resize(std::min(missing.size(), room));
  chosen.insert(chosen.end(), missing.begin(), missing.end());
  std::sort(chosen.begin(), chosen.end());
  // What they can hold together must exceed the budget.
  double held = 0;
  for (const int i : chosen) held += purse.cost[static_cast<std::size_t>(i)] * purse.limit[static_cast<std::size_t>(i)];
  for (std::size_t i = 0; i < at.w.size() && held <= 1.1 * purse.budget; ++i)
    if (!std::binary_search(chosen.begin(), chosen.end(), static_cast<int>(i))) {
      chosen.insert(std::lower_bound(chosen.begin(), chosen.end(), static_cast<int>(i)), static_cast<int>(i));
      held += purse.cost[i] * purse.limit[i];
    }
  return chosen;
}

// The best weights, with the best proof on the way to them: where what is of no interest is not seen by those weights
// at all, the traces of others that the method still has tell what the theorem asks of it.
Weights proved_on(const Problem& problem, const Purse& purse, const std::vector<std::vector<double>>& way) {
  Weights best = proved_at(problem, purse, without_traces(purse, way.back()));
  for (const std::vector<double>& w : way) {
    if (best.largest <= best.level * (1 + proved)) break;
    Weights other = proved_at(problem, purse, w);
    if (other.largest / other.level >= best.largest / best.level) continue;
    other.w = std::move(best.w);
    other.loss = best.loss;
    other.least_loss = std::max(std::min(other.least_loss, other.loss), best.least_loss);
    best = std::move(other);
  }
  return best;
}

bool affords_all(const Purse& purse) {
  double sum = 0;
  for (std::size_t i = 0; i < purse.cost.size(); ++i) sum += purse.cost[i] * purse.limit[i];
  return sum <= purse.budget;
}

}  // namespace

Weights best_weights(const Problem& problem, const Purse& purse, const std::function<bool()>& should_stop) {
  if (affords_all(purse)) return proved_at(problem, purse, purse.limit);
  std::vector<int> among = first_choice(problem);
  Weights best;
  for (int round = 0; round < most_rounds; ++round) {
    double held = 0;
    for (const int i : among)
      held += purse.cost[static_cast<std::size_t>(i)] * purse.limit[static_cast<std::size_t>(i)];
    if (held <= purse.budget) {
      among.resize(purse.cost.size());
      std::iota(among.begin(), among.end(), 0);
    }
    Weights found = proved_on(problem, purse, InteriorPoint(problem, purse, among).run(should_stop));
    if (!best.w.empty() && found.loss >= best.loss && found.largest / found.level >= best.largest / best.level) break;
    best = std::move(found);
    if (best.largest <= best.level * (1 + proved) || among.size() == purse.cost.size() || should_stop()) break;
    among = next_choice(purse, best);
  }
  return best;
}

}  // namespace salvo::design
