#pragma once

#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {

// What a caller has seen of its last point, to be handed back when predictions are wanted there.
struct LastValues {
  const ShootingProblem* problem = nullptr;  // null: nothing is known
  nlp::Point q{};
  nlp::Request request{};
  std::vector<ShootingProblem::Predicted> predicted{};
};

// A problem for one solver, whose caller would like to know afterwards what the last values said of the data: most
// solvers end where they have just been, and no trajectory is integrated again. It writes into what the caller holds
// and is for one thread.
class WatchedProblem final : public nlp::Problem {
 public:
  WatchedProblem(const ShootingProblem& problem, LastValues& last) : problem_(problem), last_(last) {}

  const nlp::Layout& layout() const override { return problem_.layout(); }
  std::vector<double> sizes(const nlp::Point& q) const override { return problem_.sizes(q); }
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override;
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override;
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request& request, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override {
    return problem_.adjoint(q, request, weights, out);
  }
  nlp::Evaluation linearize_nodes(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                                  std::unique_ptr<nlp::Products>& by_theta) const override {
    return problem_.linearize_nodes(q, request, out, by_theta);
  }

 private:
  nlp::Evaluation seen(const nlp::Point& q, const nlp::Request& request, nlp::Evaluation evaluation) const;

  const ShootingProblem& problem_;
  LastValues& last_;
};

// Predictions at q: those that were seen there last, which are moved out, or new ones.
nlp::Evaluation predict(const ShootingProblem& problem, const nlp::Point& q, const nlp::Request& request,
                        LastValues& last, std::vector<ShootingProblem::Predicted>& out);

}  // namespace salvo::shooting
