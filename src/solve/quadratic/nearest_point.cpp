#include "solve/quadratic/nearest_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dense/householder_qr.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const double rounding = 1e-12;   // of a row's value, relative to its terms
const double dependent = 1e-9;   // what rounding leaves of a row of length one that follows from active ones
const double forgivable = 1e-7;  // violation of such a row that nearly parallel ones explain

class DualActiveSet {
 public:
  explicit DualActiveSet(const NearestPointProblem& problem) : problem_(problem), z_(problem.target) {
    const Index rows = problem.A.rows();
    length_ = problem.A.rowwise().norm();
    unit_ = problem.A;
    offset_ = problem.b;
    for (Index i = 0; i < rows; ++i) {
      if (!(length_[i] > 0)) continue;  // such a row holds or does not, wherever z is
      unit_.row(i) /= length_[i];
      offset_[i] /= length_[i];
    }
    sign_.assign(rows, 1.0);
    forgiven_.assign(rows, false);
  }

  NearestPoint solve() {
    const int most_changes = 100 + 20 * static_cast<int>(z_.size());
    for (int change = 0; change < most_changes && conflict_.empty(); ++change) {
      const int row = most_violated();
      if (row < 0) break;
      take_in(row);
    }
    return result();
  }

 private:
  double value(int i) const { return unit_.row(i).dot(z_) + offset_[i]; }
  double tolerance(int i) const { return rounding * (problem_.target.norm() + std::abs(offset_[i])); }
  bool is_active(int i) const { return std::find(active_.begin(), active_.end(), i) != active_.end(); }

  // Equalities first: nothing lets go of them again.
  int most_violated() const {
    int worst = -1;
    double most = 0;
    bool worst_is_equality = false;
    for (int i = 0; i < static_cast<int>(offset_.size()); ++i) {
      const bool equality = problem_.equality[i];
      if (forgiven_[i] || is_active(i) || (worst_is_equality && !equality)) continue;
      const double violation = (equality ? std::abs(value(i)) : value(i)) - tolerance(i);
      // An equality that holds by chance is taken in all the same.
      if (!(violation > 0) && !(equality && length_[i] > 0)) continue;
      if (worst >= 0 && violation <= most && equality == worst_is_equality) continue;
      worst = i, most = violation, worst_is_equality = equality;
    }
    return worst;
  }

  void factorize() {
    const Index count = static_cast<Index>(active_.size());
    MatrixXd normals(z_.size(), count);
    for (Index k = 0; k < count; ++k) normals.col(k) = sign_[active_[k]] * unit_.row(active_[k]).transpose();
    qr_.compute(normals);
  }
  // What is left of a normal without its part along the active ones, and that part in terms of them.
  struct Split {
    VectorXd free;
    VectorXd along;
  };
  Split split(const VectorXd& normal) const {
    const Index count = static_cast<Index>(active_.size());
    if (count == 0) return {normal, VectorXd(0)};
    VectorXd rotated = normal;
    qr_.rotate(rotated);
    const VectorXd along = qr_.solve_R(VectorXd(rotated.head(count)));
    rotated.head(count).setZero();
    qr_.rotate_back(rotated);
    return {rotated, along};
  }

  // Moves z, and the multipliers with it, until the row holds; rows whose multiplier vanishes on the way are let go.
  void take_in(int row) {
    if (!(length_[row] > 0)) {
      conflict_ = {row};
      return;
    }
    sign_[row] = value(row) < 0 ? -1.0 : 1.0;  // only an equality can be violated from below
    double own = 0;
    while (true) {
      factorize();
      const Split parts = split(sign_[row] * unit_.row(row).transpose());
      const double violation = sign_[row] * value(row);
      const bool free = static_cast<Index>(active_.size()) < z_.size() && parts.free.norm() > dependent;
      const double whole = free ? violation / parts.free.squaredNorm() : std::numeric_limits<double>::infinity();
      if (!free && own == 0 && violation <= forgivable * (1 + std::abs(offset_[row]))) {
        forgiven_[row] = true;
        return;
      }
      const int leaving = first_to_leave(parts.along, whole);
      if (leaving < 0 && !free) {
        contradict(row, parts.along);
        return;
      }
      const double step = leaving < 0 ? whole : multipliers_[leaving] / parts.along[leaving];
      for (std::size_t k = 0; k < active_.size(); ++k) multipliers_[k] -= step * parts.along[static_cast<Index>(k)];
      own += step;
      if (free) z_ -= step * parts.free;
      if (leaving < 0) break;
      active_.erase(active_.begin() + leaving);
      multipliers_.erase(multipliers_.begin() + leaving);
    }
    active_.push_back(row);
    multipliers_.push_back(own);
    polish();
  }

  int first_to_leave(const VectorXd& along, double whole) const {
    int leaving = -1;
    double shortest = whole;
    for (int k = 0; k < static_cast<int>(active_.size()); ++k) {
      if (problem_.equality[active_[k]] || !(along[k] > dependent)) continue;
      const double reach = std::max(multipliers_[k], 0.0) / along[k];
      if (reach < shortest) shortest = reach, leaving = k;
    }
    return leaving;
  }

  // The row depends on active ones that must stay.
  void contradict(int row, const VectorXd& along) {
    conflict_ = {row};
    for (int k = 0; k < static_cast<int>(active_.size()); ++k)
      if (std::abs(along[k]) > 1e-6) conflict_.push_back(active_[k]);
    std::sort(conflict_.begin(), conflict_.end());
  }

  // z and multipliers from the active rows alone, so that errors of earlier steps do not pile up.
  void polish() {
    factorize();
    const Index count = static_cast<Index>(active_.size());
    VectorXd values(count);
    for (Index k = 0; k < count; ++k)
      values[k] = sign_[active_[k]] * (unit_.row(active_[k]).dot(problem_.target) + offset_[active_[k]]);
    const VectorXd rotated = qr_.solve_R_transposed(values);
    VectorXd step = VectorXd::Zero(z_.size());
    step.head(count) = rotated;
    qr_.rotate_back(step);
    z_ = problem_.target - step;
    const VectorXd exact = qr_.solve_R(rotated);
    multipliers_.assign(exact.data(), exact.data() + count);
  }

  NearestPoint result() const {
    NearestPoint out{z_, VectorXd::Zero(offset_.size()), active_, conflict_};
    for (std::size_t k = 0; k < active_.size(); ++k)
      out.multipliers[active_[k]] = sign_[active_[k]] * multipliers_[k] / length_[active_[k]];
    std::sort(out.active.begin(), out.active.end());
    return out;
  }

  const NearestPointProblem& problem_;
  VectorXd z_;
  MatrixXd unit_;  // the rows, of length one
  VectorXd offset_, length_;
  std::vector<double> sign_;    // of each row: -1 where an equality was violated from below
  std::vector<bool> forgiven_;  // violated by no more than rounding can explain
  std::vector<int> active_;     // in the order in which they came
  std::vector<double> multipliers_;
  std::vector<int> conflict_;
  dense::HouseholderQr qr_;  // of the active rows, as columns
};

}  // namespace

NearestPoint nearest_point(const NearestPointProblem& problem) { return DualActiveSet(problem).solve(); }

}  // namespace salvo::solve
