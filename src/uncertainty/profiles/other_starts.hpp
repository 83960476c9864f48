#pragma once

#include <vector>

#include "estimate/workspace.hpp"

namespace salvo::uncertainty {

// The guess of every quantity of a problem as it was given, on its scale, which is a size that is usual to the user:
// a fit that starts from an earlier answer has other guesses. Not a number where there is none.
std::vector<double> given_guesses(const estimate::Workspace& workspace, const shooting::ShootingProblem& shooting);

// Where a fit along a path is tried once more. A neighbour that has run away, to zero, to infinity or far out on a
// logarithmic scale, stays there because nothing pulls it back, even where the best fit with the held value is
// elsewhere: nearer to the guess, or on the other side of zero or of infinity.
class OtherStarts {
 public:
  OtherStarts() = default;
  OtherStarts(const shooting::ShootingProblem& shooting, const nlp::Point& optimum, double objective,
              const nlp::Request& request, const std::vector<double>& guesses);

  // Unknowns that have run away from their guess, and values near the guess to hold them at.
  struct NearGuess {
    int unknown = 0;
    double value = 0;
  };
  const std::vector<NearGuess>& near_guess() const { return near_guess_; }
  // Beside a fit that has ended at q, with an unknown held (-1: none).
  std::vector<nlp::Point> beside(const nlp::Point& q, int held) const;

 private:
  struct Stranded {
    int unknown = 0;
    double at = 0;
    double back = 0;  // towards the guess, as far as the fit hardly suffers
  };
  bool is_stranded(const Stranded& each, double value) const;
  nlp::Point beyond(const nlp::Point& q, int held) const;

  nlp::Point optimum_{};
  std::vector<bool> are_values_{};  // of every theta: its sign may change
  std::vector<Stranded> stranded_{};
  std::vector<NearGuess> near_guess_{};
};

}  // namespace salvo::uncertainty
