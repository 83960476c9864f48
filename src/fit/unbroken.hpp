#pragma once

#include <span>
#include <vector>

#include "estimate/quantities.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::fit {

// The objective of a problem along unbroken trajectories, by its estimated quantities alone. Constraints are none of
// its business. Nothing in it changes: evaluations may run on several threads, each with a room of its own.
class Unbroken {
 public:
  // What an evaluation fills, used again by the next.
  struct Room {
    nlp::Point q{};
    nlp::Request request{};
    nlp::Blocks blocks{};
    nlp::Gradients gradients{};
    std::vector<shooting::ShootingProblem::Predicted> predicted{};
  };

  // The problem must outlive it and have no constraints.
  Unbroken(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model,
           const shooting::ShootingOptions& options);

  const shooting::ShootingProblem& shooting() const { return shooting_; }
  const std::vector<estimate::Quantity>& quantities() const { return quantities_; }
  // The guesses of the problem, whether within bounds or not, as a point.
  const nlp::Point& guess() const { return guess_; }

  // At the point of the room, into the room: blocks.objective, or that and what is said of every measurement.
  nlp::Evaluation value(Room& room) const { return shooting_.values(room.q, room.request, room.blocks); }
  nlp::Evaluation predict(Room& room) const {
    return shooting_.values(room.q, room.request, room.blocks, room.predicted);
  }
  // gradients.objective and, one adjoint for each trajectory, its derivatives by all unknowns.
  nlp::Evaluation gradient(Room& room) const { return shooting_.adjoint(room.q, room.request, {}, room.gradients); }
  nlp::Evaluation linearize(Room& room) const { return shooting_.linearize(room.q, room.request, room.blocks); }

  // Rows of the blocks, experiment by experiment; those of priors of parameters come last.
  void write_rows(const nlp::Blocks& blocks, std::vector<double>& rows) const;
  // Their derivatives by the quantities.
  void write_jacobian(const nlp::Blocks& blocks, Matrix& jacobian) const;

 private:
  shooting::ShootingProblem shooting_;
  std::vector<estimate::Quantity> quantities_;
  nlp::Point guess_;
};

}  // namespace salvo::fit
