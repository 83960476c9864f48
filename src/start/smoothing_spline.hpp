#pragma once

#include <span>
#include <vector>

namespace salvo::start {

// A value at a time, with its standard error.
struct SeriesPoint {
  double time = 0;
  double value = 0;
  double sigma = 1;
};

enum class NoiseLevel { known, unknown };  // unknown: the sigmas are right but for a common factor

// A natural cubic spline: its values and second derivatives at the knots. Beyond the ends it goes on in a straight
// line for the mean distance of two knots, then stays.
struct Curve {
  std::vector<double> time{};
  std::vector<double> value{};
  std::vector<double> second{};    // derivative; zero at both ends
  double freedom = 0;              // effective number of parameters, the trace of the smoother
  std::vector<double> left_out{};  // by how much the curve through the others misses each point
  double sigma = 0;                // of one datum, typically: stated, or estimated where it is unknown

  double at(double t) const;
};

// min_s  Σ ((y_i - s(t_i)) / sigma_i)^2 + λ ∫ s''^2 dt   (docs/mathematics.md, eq. 28), with λ chosen so that the sum
// is what noise of the stated level leaves over, or by generalised cross validation, to `precision` powers of ten.
// Times must increase; one point gives a constant, two a line.
Curve smoothing_spline(std::span<const SeriesPoint> points, NoiseLevel level, double precision);

// Equal times become one point, their mean with its own error; so do neighbours where there would be more than `most`
// points. Sorted by time.
std::vector<SeriesPoint> averaged(std::vector<SeriesPoint> points, std::size_t most);

// Linear between points, constant beyond them; at least one point.
double interpolate(std::span<const SeriesPoint> points, double t);

}  // namespace salvo::start
