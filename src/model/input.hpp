#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expression/graph.hpp"
#include "model/choices.hpp"

// Known functions of time, as plain data.
namespace salvo::model {

// A function u(t) that goes through the rows of a table, in pieces:
//   u(t) = c0 + s (c1 + s (c2 + s c3)),   s = t - begin,   from `begin` on to the next piece.
// Cubic pieces are those of the not-a-knot spline. Beyond the ends of the table the last value holds.
class InputCurve {
 public:
  struct Piece {
    double c0 = 0;
    double begin = 0;
    double c1 = 0;
    double c2 = 0;
    double c3 = 0;

    double at(double t) const { return c0 + (t - begin) * (c1 + (t - begin) * (c2 + (t - begin) * c3)); }
    bool operator==(const Piece&) const = default;
  };

  // At least one row; times increase.
  InputCurve(Interpolation interpolation, std::span<const double> time, std::span<const double> value);

  // The first piece holds for all earlier times, too. Rows that change nothing begin no piece.
  const std::vector<Piece>& pieces() const { return pieces_; }
  int piece_at(double t) const;
  double at(double t) const { return pieces_[static_cast<std::size_t>(piece_at(t))].at(t); }
  // The first and the last time of the table.
  double begin() const { return begin_; }
  double end() const { return end_; }

 private:
  void add(const Piece& piece);

  std::vector<Piece> pieces_{};
  double begin_ = 0;
  double end_ = 0;
};

struct Input {
  std::string id{};
  expression::NodeId symbol = expression::no_node;
  Interpolation interpolation = Interpolation::linear;
  std::vector<std::shared_ptr<const InputCurve>> of_experiment{};  // equal ones are one
};

}  // namespace salvo::model
