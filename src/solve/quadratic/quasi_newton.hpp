#pragma once

#include <Eigen/Cholesky>
#include <deque>
#include <vector>

namespace salvo::solve {

// A BFGS approximation B of a Hessian, started from the identity and kept positive definite by damping after Powell.
// Dense while it is small; beyond a few hundred unknowns the limited-memory form of its inverse ([NW06] 7.2, 18.3).
class Bfgs {
 public:
  explicit Bfgs(int unknowns);
  // As another one was, with its numbers.
  Bfgs(int unknowns, const std::vector<double>& numbers);

  Eigen::VectorXd solve(const Eigen::VectorXd& v) const;  // B^-1 v
  // The gradient changed by y along s; a part `powell` of the curvature that was there is kept.
  void update(const Eigen::VectorXd& s, const Eigen::VectorXd& y, double powell);
  void reset();
  int unknowns() const { return unknowns_; }
  // The entries of B, or of the pairs that make it.
  std::vector<double> numbers() const;
  bool operator==(const Bfgs& other) const { return unknowns_ == other.unknowns_ && numbers() == other.numbers(); }

 private:
  struct Pair {
    Eigen::VectorXd s, y;
    double inverse_product;
  };
  bool is_dense() const;
  void update_dense(const Eigen::VectorXd& s, const Eigen::VectorXd& y, double powell);
  void update_pairs(const Eigen::VectorXd& s, const Eigen::VectorXd& y, double powell);

  int unknowns_;
  Eigen::MatrixXd B_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  std::deque<Pair> pairs_;
};

}  // namespace salvo::solve
