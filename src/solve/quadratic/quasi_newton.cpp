#include "solve/quadratic/quasi_newton.hpp"

#include <vector>

namespace salvo::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const int most_dense = 400;         // unknowns, beyond which the matrix takes too much memory and time
const std::size_t most_pairs = 30;  // that take its place

}  // namespace

Bfgs::Bfgs(int unknowns) : unknowns_(unknowns) { reset(); }

Bfgs::Bfgs(int unknowns, const std::vector<double>& numbers) : Bfgs(unknowns) {
  const Eigen::Map<const VectorXd> all(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  if (is_dense()) {
    if (all.size() != static_cast<Eigen::Index>(unknowns) * unknowns) return;
    B_ = Eigen::Map<const MatrixXd>(numbers.data(), unknowns, unknowns);
    factor_.compute(B_);
    return;
  }
  for (Eigen::Index at = 0; at + 2 * unknowns < all.size(); at += 2 * unknowns + 1)
    pairs_.push_back({all.segment(at, unknowns), all.segment(at + unknowns, unknowns), all[at + 2 * unknowns]});
}

std::vector<double> Bfgs::numbers() const {
  if (is_dense()) return {B_.data(), B_.data() + B_.size()};
  std::vector<double> out;
  for (const Pair& pair : pairs_) {
    out.insert(out.end(), pair.s.begin(), pair.s.end());
    out.insert(out.end(), pair.y.begin(), pair.y.end());
    out.push_back(pair.inverse_product);
  }
  return out;
}

bool Bfgs::is_dense() const { return unknowns_ <= most_dense; }

void Bfgs::reset() {
  pairs_.clear();
  if (!is_dense()) return;
  B_ = MatrixXd::Identity(unknowns_, unknowns_);
  factor_.compute(B_);
}

VectorXd Bfgs::solve(const VectorXd& v) const {
  if (is_dense()) return factor_.solve(v);
  VectorXd r = v;
  std::vector<double> alpha(pairs_.size());
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    alpha[i] = pairs_[i].inverse_product * pairs_[i].s.dot(r);
    r -= alpha[i] * pairs_[i].y;
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    r += (alpha[i] - pairs_[i].inverse_product * pairs_[i].y.dot(r)) * pairs_[i].s;
  return r;
}

void Bfgs::update(const VectorXd& s, const VectorXd& y, double powell) {
  if (is_dense())
    update_dense(s, y, powell);
  else
    update_pairs(s, y, powell);
}

// B+ = B + y y'/s'y - B s s'B/s'B s, with y bent towards B s where it shows too little curvature.
void Bfgs::update_dense(const VectorXd& s, const VectorXd& y, double powell) {
  const VectorXd Bs = B_.selfadjointView<Eigen::Lower>() * s;
  const double sBs = s.dot(Bs);
  const double sy = s.dot(y);
  if (!(sBs > 0)) return;
  VectorXd bent = y;
  if (sy < powell * sBs) {
    const double theta = (1 - powell) * sBs / (sBs - sy);
    bent = theta * y + (1 - theta) * Bs;
  }
  const MatrixXd before = B_;
  B_ += bent * bent.transpose() / s.dot(bent) - Bs * Bs.transpose() / sBs;
  factor_.compute(B_);
  if (factor_.info() == Eigen::Success) return;
  B_ = before;  // lost to rounding: what there was stays
  factor_.compute(B_);
}

// In the inverse form the roles of s and y are exchanged: s is bent towards B^-1 y.
void Bfgs::update_pairs(const VectorXd& s, const VectorXd& y, double powell) {
  const VectorXd Hy = solve(y);
  const double yHy = y.dot(Hy);
  const double sy = s.dot(y);
  if (!(yHy > 0)) return;
  VectorXd bent = s;
  if (sy < powell * yHy) {
    const double theta = (1 - powell) * yHy / (yHy - sy);
    bent = theta * s + (1 - theta) * Hy;
  }
  const double product = bent.dot(y);
  if (!(product > 0)) return;
  pairs_.push_back({bent, y, 1 / product});
  if (pairs_.size() > most_pairs) pairs_.pop_front();
}

}  // namespace salvo::solve
