#pragma once

#include <map>
#include <vector>

#include "base/matrix.hpp"
#include "solve/quadratic/spectrum.hpp"

namespace salvo::solve {

// Spectra of R'R + S over the free variables, as they were found: steps with other radii from the same point ask for
// the same ones again.
class FreeSpectra {
 public:
  const Spectrum& of(const Matrix& R, const Matrix& S, const std::vector<int>& free);

 private:
  std::map<std::vector<int>, Spectrum> with_S_{}, without_S_{};
};

// min g'd + d'(R'R + S) d / 2   s.t.  |d| <= radius,  lower <= d <= upper   (lower <= 0 <= upper; S symmetric, perhaps
// indefinite, perhaps empty). Within the free variables the solution is exact, from the singular values of R or the
// eigenvalues of the sum ([ConnGouldToint00], section 7.3); with bounds it goes ahead until a
// variable meets its own, then on without it, so that every part of the way leads down. A step that meets bounds on its
// way may be longer than the radius, by half at the most.
//
// A direction along which the whole radius promises less than `negligible` is not moved along: what rounding makes of a
// derivative that is zero leads anywhere.
struct TrustRegion {
  const Matrix& R;
  const Matrix& S;
  const std::vector<double>& g;
  std::vector<double> lower{};
  std::vector<double> upper{};
  double radius = 1;
  double negligible = 0;
};

struct TrustRegionStep {
  std::vector<double> d{};
  double predicted = 0;    // decrease of the quadratic
  bool at_radius = false;  // a larger radius would give a longer step
};

// `known` is what earlier calls with these R and S have found.
TrustRegionStep solve_trust_region(const TrustRegion& region, FreeSpectra& known);

// The decrease that g'd + d'(R'R + S) d / 2 promises.
double predicted_decrease(const Matrix& R, const Matrix& S, const std::vector<double>& g, const std::vector<double>& d);

}  // namespace salvo::solve
