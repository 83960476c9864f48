#pragma once

#include <span>
#include <vector>

#include "dense/triangle.hpp"
#include "nlp/problem.hpp"
#include "solve/elimination/condensing.hpp"
#include "solve/quadratic/bounded_least_squares.hpp"

namespace salvo::solve {

// A linearised problem without constraints besides bounds, all of whose chains are condensed and have rows that plainly
// see v_0. Then the triangle of each chain has eliminated v_0 (docs/mathematics.md, eq. 18a), and what is left of all
// chains, and the priors, goes into one more triangle:
//   v_0 = -R_00^-1 (l_0 + R_0θ θ) for each chain,      min |R θ + f| within bounds.
// Plainly: a pivoted factorisation would find full rank for certain. Keeps its memory from use to use.
class FullRankElimination {
 public:
  // False where the rows of a chain do not plainly see v_0. What is passed must live as long as this is used.
  bool take(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
            std::vector<Condensing>& chains, double rank_tolerance);

  const Matrix& R() const { return triangle_.R(); }
  bool sees_all_of_theta() const { return is_full_rank_; }
  // The lengths of the columns of the rows by θ, before v_0 was eliminated.
  const std::vector<double>& lengths() const { return rule_.lengths; }

  void solve(const nlp::Blocks& blocks, const nlp::Point& q, std::vector<double>& delta, std::vector<bool>& held);
  void correct(const nlp::Blocks& blocks, const std::vector<bool>& held, std::vector<double>& delta);
  // The step for these gaps and this gradient by all unknowns, in place of that of the rows; all of θ is seen and free.
  void descend(const nlp::Blocks& gaps, const std::vector<double>& gradient, std::vector<double>& delta);

 private:
  void take_rows(const nlp::Rows& priors);
  bool sees_theta_plainly();
  void reduce(const nlp::Blocks& blocks);
  void rotate(int bundle, std::span<const double> constants);
  void minimize();
  bool is_within_bounds(const nlp::Point& q);
  void reduce_gradient(const std::vector<double>& gradient);
  void expand(std::vector<double>& delta);
  std::span<double> l_0(std::size_t chain);

  const nlp::Layout* layout_ = nullptr;
  const std::vector<double>* sizes_ = nullptr;
  std::vector<Condensing>* chains_ = nullptr;
  dense::Triangle triangle_;  // R
  RankTest rule_;
  bool is_full_rank_ = false;  // R sees all of θ
  Matrix scaled_;              // R, its columns divided by their lengths
  std::vector<double> l_0_;    // of all chains, each in the place of its v_0
  std::vector<double> f_, rows_, theta_, unknowns_, room_, lower_, upper_;
};

}  // namespace salvo::solve
