#pragma once

#include <atomic>
#include <memory>

#include "estimate/ways/way.hpp"
#include "statistics/profile.hpp"
#include "uncertainty/profiles/other_starts.hpp"

namespace salvo::uncertainty {

// A solved problem in the shape in which profiles are followed: one unbroken trajectory per experiment wherever that is
// the same answer, else the nodes of the fit. Fits of it with one unknown held, or with one more datum, begin close to
// their end.
class HeldFits {
 public:
  // On an engine of its own if there is one, else on that of the fit.
  HeldFits(const estimate::Workspace& workspace, const estimate::Found& found, const RunContext& context,
           std::shared_ptr<shooting::Engine> engine = nullptr);

  const shooting::ShootingProblem& shooting() const { return *shooting_; }
  // The answer, solved once more in this shape; `trouble` says why there is none.
  const solve::SolveResult& optimum() const { return optimum_; }
  const std::string& trouble() const { return trouble_; }
  // A point that lies lower than the answer, found where what has run away was brought back; empty: there is none.
  const nlp::Point& lower() const { return lower_; }
  // d objective / d unknown there: not zero at a bound.
  double slope_at_optimum(int unknown) const;
  // Covariance of the unknowns by the inverse Hessian there, zero for those at bounds, which are held. Nothing where it
  // cannot be computed or is not positive definite.
  std::optional<Matrix> observed_covariance() const;
  long fits() const { return fits_; }
  shooting::WorkCount work() const;  // of all of them

  // With unknown i of the point held at a value; other starts are tried where nothing is found, or where the fit is so
  // much worse that the value may be an end.
  enum class Looks { nowhere, where_it_fails, where_it_may_end };
  statistics::HeldPoint with_held(int unknown, double value, const nlp::Point& start,
                                  Looks looks = Looks::where_it_may_end) const {
    return with_held(*shooting_, unknown, value, start, looks);
  }
  // Those beside a fit that has ended at q.
  std::vector<nlp::Point> other_starts(const nlp::Point& q, int held) const;
  // The answer with one neighbour that has run away brought back.
  std::vector<nlp::Point> brought_back() const { return others_.beside(optimum_.q, -1); }
  // With an unknown of another problem of unbroken trajectories held.
  statistics::HeldPoint with_held(const shooting::ShootingProblem& shooting, int unknown, double value,
                                  const nlp::Point& start, Looks looks = Looks::where_it_may_end) const;
  // With one more measurement, the last one of `problem`, which pulls its prediction towards its value. What pulls is
  // taken away from the objective again: the point is the best of all that predict the same.
  statistics::HeldPoint with_datum(const model::Problem& problem,
                                   const std::shared_ptr<const compile::CompiledModel>& compiled,
                                   const nlp::Point& start) const;
  bool is_unbroken() const { return unbroken_; }

 private:
  // Until a step promises no more than `enough`.
  solve::SolveResult solve(const nlp::Problem& problem, const nlp::Point& start, double enough) const;
  void prove_stalled(const nlp::Problem& problem, double enough, solve::SolveResult& solved) const;
  void look_for_lower();
  void try_other_starts(const nlp::Problem& problem, int held, double enough, Looks looks,
                        solve::SolveResult& solved) const;

  const estimate::Workspace& workspace_;
  const RunContext& context_;
  std::unique_ptr<model::Problem> problem_{};          // of nodes, where every initial value can be held
  std::unique_ptr<shooting::ShootingProblem> laid_{};  // the answer's problem on an engine of its own
  std::unique_ptr<shooting::ShootingProblem> own_{};
  const shooting::ShootingProblem* shooting_ = nullptr;
  bool unbroken_ = true;
  nlp::Request request_{};
  shooting::WorkCount before_{};  // work of the fit
  solve::SolveResult optimum_{};
  std::string trouble_{};
  OtherStarts others_{};
  nlp::Point lower_{};
  mutable std::atomic<long> fits_{0};
};

// An engine for many paths of an answer at a time: whether they run as machine code is decided beforehand, by counted
// work, since it would otherwise depend on which of them has come how far.
std::shared_ptr<shooting::Engine> engine_for_paths(const estimate::Workspace& workspace, const estimate::Found& found);

}  // namespace salvo::uncertainty
