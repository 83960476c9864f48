#include "design/exact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"

namespace salvo::design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr int starts = 40;             // of exchanges
constexpr double most_work = 1e9;      // operations, some seconds, after which no further start begins
constexpr double many = 300;           // samples, of which rounded weights are as good as any others
constexpr double improvement = 1e-10;  // of the loss that is worth an exchange, relative
constexpr double rounding = 1e-9;      // of sums of costs

class Exchange {
 public:
  Exchange(const Problem& problem, const Purse& purse, std::vector<int> count)
      : problem_(problem), purse_(purse), count_(std::move(count)) {
    std::vector<double> w(count_.begin(), count_.end());
    F_ = information(problem_, w);
    loss_ = loss(problem_, F_);
    all_.resize(count_.size());
    std::iota(all_.begin(), all_.end(), 0);
    for (std::size_t i = 0; i < count_.size(); ++i) left_ -= purse_.cost[i] * count_[i];
    left_ += purse_.budget;
  }

  // Until no sample more can be paid for and no exchange helps.
  Exact run(const std::function<bool()>& should_stop) {
    while (!should_stop() && add()) {
    }
    while (!should_stop() && exchange())
      while (add()) {
      }
    return {.count = count_, .loss = loss_};
  }
  double work() const { return work_; }

 private:
  struct Choice {
    int in = -1;
    double loss = std::numeric_limits<double>::infinity();
  };

  void change(std::vector<MatrixXd>& F, int i, double by) const {
    for (std::size_t k = 0; k < F.size(); ++k) {
      const MatrixXd& row = problem_.points[k].rows[static_cast<std::size_t>(i)];
      F[k].noalias() += by * row.transpose() * row;
    }
  }

  // The candidate whose addition to F makes the loss least, if any makes it less than `below`. A loss is convex: it
  // does not fall below that of its support by more than d_i, so most need not be computed.
  Choice best_addition(const std::vector<MatrixXd>& F, double money, double below) {
    const Support at = support(problem_, F);
    std::vector<int> order = all_;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return at.sensitivity[a] > at.sensitivity[b]; });
    Choice best{.loss = below};
    const double r = static_cast<double>(F.front().rows());
    work_ += static_cast<double>(F.size()) * r * r * static_cast<double>(all_.size());
    std::vector<MatrixXd> with = F;
    for (const int i : order) {
      const auto k = static_cast<std::size_t>(i);
      if (at.loss - at.sensitivity[i] >= best.loss) break;
      if (purse_.cost[k] > money * (1 + rounding) || count_[k] + 1 > purse_.limit[k]) continue;
      with = F;
      change(with, i, 1);
      work_ += static_cast<double>(F.size()) * (10 * r * r * r + 500);  // eigenvalues, and to get there
      const double its = loss(problem_, with);
      if (its < best.loss) best = {.in = i, .loss = its};
    }
    return best;
  }

  bool add() {
    const Choice best = best_addition(F_, left_, loss_);
    if (best.in < 0) return false;
    change(F_, best.in, 1);
    ++count_[static_cast<std::size_t>(best.in)];
    left_ -= purse_.cost[static_cast<std::size_t>(best.in)];
    loss_ = best.loss;
    return true;
  }

  bool exchange() {
    Choice best{.loss = loss_ - improvement * std::max(std::abs(loss_), 1e-300)};
    int out = -1;
    for (std::size_t i = 0; i < count_.size(); ++i) {
      if (count_[i] == 0) continue;
      std::vector<MatrixXd> without = F_;
      change(without, static_cast<int>(i), -1);
      --count_[i];
      const Choice found = best_addition(without, left_ + purse_.cost[i], best.loss);
      ++count_[i];
      if (found.in >= 0 && found.loss < best.loss) best = found, out = static_cast<int>(i);
    }
    if (out < 0) return false;
    const auto [from, to] = std::pair(static_cast<std::size_t>(out), static_cast<std::size_t>(best.in));
    --count_[from];
    ++count_[to];
    left_ += purse_.cost[from] - purse_.cost[to];
    std::vector<double> w(count_.begin(), count_.end());
    F_ = information(problem_, w);  // anew: differences would gather rounding
    loss_ = best.loss;
    return true;
  }

  const Problem& problem_;
  const Purse& purse_;
  std::vector<int> count_;
  std::vector<int> all_;
  std::vector<MatrixXd> F_;
  double loss_ = 0, left_ = 0, work_ = 0;
};

// The whole parts of the weights; what is left is spent by the exchange.
std::vector<int> rounded_down(const Weights& weights) {
  std::vector<int> count;
  for (const double w : weights.w) count.push_back(static_cast<int>(std::floor(w * (1 + rounding))));
  return count;
}

// Samples drawn by the weights, until the budget is spent.
std::vector<int> drawn(const Purse& purse, const Weights& weights, Random& random) {
  std::vector<int> count(weights.w.size(), 0);
  const double all = std::accumulate(weights.w.begin(), weights.w.end(), 0.0);
  double left = purse.budget;
  for (int tries = 0; tries < 1'000 && left > 0; ++tries) {
    double place = random.uniform() * all;
    std::size_t i = 0;
    while (i + 1 < count.size() && (place -= weights.w[i]) > 0) ++i;
    if (purse.cost[i] > left * (1 + rounding)) break;
    if (count[i] + 1 > purse.limit[i]) continue;
    ++count[i];
    left -= purse.cost[i];
  }
  return count;
}

}  // namespace

Exact best_exact(const Problem& problem, const Purse& purse, const Weights& weights,
                 const std::function<bool()>& should_stop) {
  Exact best;
  double work = 0;
  const bool is_large = std::accumulate(weights.w.begin(), weights.w.end(), 0.0) > many;
  for (int start = 0; start < (is_large ? 1 : starts) && (start == 0 || (work < most_work && !should_stop()));
       ++start) {
    Random random = Random::stream(1, static_cast<std::uint64_t>(start));
    Exchange exchange(problem, purse, start == 0 ? rounded_down(weights) : drawn(purse, weights, random));
    Exact found = exchange.run(should_stop);
    work += exchange.work();
    if (best.count.empty() || found.loss < best.loss - improvement * std::abs(best.loss)) best = std::move(found);
  }
  return best;
}

}  // namespace salvo::design
