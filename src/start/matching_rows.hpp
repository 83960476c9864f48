#pragma once

#include <optional>
#include <vector>

#include "shooting/shooting_problem.hpp"
#include "start/curve_integrals.hpp"
#include "start/driven_states.hpp"
#include "start/levenberg_marquardt.hpp"
#include "start/matching_pieces.hpp"

namespace salvo::start {

// The rows of integral matching (docs/mathematics.md, eq. 30) by theta and the v_0 of every chain: increments of the
// states with curves, measurements of which no curve was made, and priors.
class MatchingRows {
 public:
  // Both must outlive this object.
  MatchingRows(const shooting::ShootingProblem& shooting, const std::vector<ObservedStates>& observed,
               const Rules& rules = {});

  int unknowns() const { return unknowns_; }
  int first_of_chain(int c) const { return chains_[c].first; }  // the place of its v_0 among the unknowns
  double operations() const;                                    // of one evaluation and one factorisation
  bool are_linear() const;                                      // in the unknowns: then one minimum is as good as any

  // False where they do not exist.
  bool evaluate(const std::vector<double>& unknowns, bool derivatives, NormalEquations& out);

  // A state whose increments fitted worse than the noise says, at the last evaluation, has a poor curve, or a poor
  // model: it must not drown the others. False if there is none.
  bool weigh_by_residuals();

 private:
  struct Increment {  // x~(b) - x~(a) of one state over one piece
    int piece = 0;
    int state = 0;
    double shown = 0;
    double error = 1;
  };
  struct Chain {
    int first = 0;
    MatchingPieces pieces{};
    std::vector<Increment> increments{};        // by piece
    std::optional<CurveIntegrals> integrals{};  // nothing is hidden
    std::optional<DrivenStates> driven{};       // something is
  };
  Chain make_chain(int c) const;
  bool rows_along_curves(int c, const shooting::ExperimentValues& values, bool derivatives, NormalEquations& out);
  bool rows_of_driven(int c, const shooting::ExperimentValues& values, bool derivatives, NormalEquations& out);
  bool data_rows(int c, const DrivenStates::At& at, const shooting::ExperimentValues& values, bool derivatives,
                 NormalEquations& out);
  double weighted_residual(const Increment& increment, double integral);
  void prior_rows(const std::vector<double>& unknowns, bool derivatives, NormalEquations& out);
  void finish(double r, bool derivatives, NormalEquations& out);
  int column(int c, int local) const;

  const shooting::ShootingProblem& shooting_;
  const model::Problem& problem_;
  const std::vector<ObservedStates>& observed_;
  Rules rules_;
  int unknowns_ = 0;
  std::vector<Chain> chains_;
  std::vector<double> inflation_;         // of the standard errors of each state's increments
  std::vector<double> squares_, counts_;  // of each state's residuals at the last evaluation
  SparseRow row_;                         // under way
};

}  // namespace salvo::start
