#pragma once

#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "start/matching_pieces.hpp"

namespace salvo::start {

// Where every state of an experiment has a curve x~, nothing is left to be simulated:
//   I_m(p) = ∫ f(x~(t), t, p) dt  over piece m
// by Simpson's rule from stop to stop, points side by side in lanes. Where f is affine in p, it is evaluated once, and
//   I_m(p) = I_m(p_0) + I_m,p (p - p_0)                                     (docs/mathematics.md, eq. 30a).
class CurveIntegrals {
 public:
  // `model` must outlive this object.
  CurveIntegrals(const compile::CompiledModel& model, const ObservedStates& observed, const MatchingPieces& pieces);

  bool is_affine() const { return is_affine_; }
  int points() const { return static_cast<int>(points_.size()); }  // of the mesh

  // False where f is not a number somewhere on the curves.
  bool evaluate(std::span<const double> p, bool derivatives);
  // The integrals of f over a piece at the last evaluation, and of the non-zeros of f_p, if derivatives were wanted.
  std::span<const double> of_piece(int m) const { return {sums_.data() + m * states(), states()}; }
  std::span<const double> by_parameter(int m) const { return {slopes_.data() + m * nonzeros(), nonzeros()}; }

 private:
  static constexpr int lanes = 8;
  struct Point {  // of the mesh
    int piece = 0;
    double weight = 0;
    double weight_of_next = 0;  // in the piece after, where it begins there
  };
  std::size_t states() const { return static_cast<std::size_t>(model_.states); }
  std::size_t nonzeros() const { return static_cast<std::size_t>(model_.f_p.size()); }
  void add_point(double t, const Point& point);
  void lay_in_packs(const ObservedStates& observed);
  void integrate(std::span<const double> p, bool derivatives);
  void add_pack(const double* numbers, std::size_t first, std::size_t count, std::vector<double>& sums) const;
  void move_to(std::span<const double> p);

  const compile::CompiledModel& model_;
  int experiment_;
  bool is_affine_ = false;
  std::vector<Point> points_;
  std::vector<double> time_, state_;            // at the points, in packs
  std::vector<double> sums_, slopes_;           // piece by piece
  std::vector<double> at_first_, p_0_;          // sums and parameters of the first evaluation, where f is affine
  std::vector<double> parameter_, work_, out_;  // of one pack
  int pieces_ = 0;
};

}  // namespace salvo::start
