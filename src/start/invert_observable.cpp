#include "start/invert_observable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo::start {

std::optional<Inverted> ObservableInverter::invert(int observable, double value, double t, std::span<const double> p,
                                                   std::span<double> x, int state) {
  const compile::ObservableKernel& kernel = model_.observables[observable];
  work_.resize(kernel.derivative.work_size());
  out_.resize(kernel.derivative.output_count());
  int place = -1;
  for (int z = 0; z < kernel.by_state.size(); ++z)
    if (kernel.by_state.row[z] == 0 && kernel.by_state.column[z] == state) place = 2 + z;
  if (place < 0) return std::nullopt;
  const auto distance_at = [&](double candidate) {
    x[state] = candidate;
    kernel.derivative.run<1>({.time = &t, .state = x.data(), .parameter = p.data()}, work_.data(), out_.data());
    return out_[0] - value;
  };

  double at = x[state];
  double distance = distance_at(at);
  const double rounding = 1e6 * std::numeric_limits<double>::epsilon();  // of formulas, relative to their values
  const double tolerance = rounding * std::max(std::abs(value), std::isfinite(distance) ? std::abs(out_[0]) : 0.0);
  for (int step = 0; step < iterations_ && std::isfinite(distance); ++step) {
    const double slope = out_[place];
    if (std::abs(distance) <= tolerance && slope != 0 && std::isfinite(slope))
      return Inverted{.state = at, .slope = slope, .sigma = out_[1]};
    double move = -distance / slope;
    if (!std::isfinite(move)) return std::nullopt;
    double next = distance_at(at + move);
    const double shortest = std::numeric_limits<double>::epsilon() * std::abs(move);
    while (!(std::abs(next) < std::abs(distance)) && std::abs(move) > shortest) next = distance_at(at + (move *= 0.5));
    if (!(std::abs(next) < std::abs(distance))) return std::nullopt;
    at += move;
    distance = next;
  }
  return std::nullopt;
}

}  // namespace salvo::start
