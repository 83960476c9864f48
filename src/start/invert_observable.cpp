#include "start/invert_observable.hpp"

#include <algorithm>
#include <cmath>

namespace salvo::start {
namespace {

constexpr int most_newton_steps = 60;
constexpr int most_backtracks = 40;
constexpr double close_enough = 1e-10;  // of the values involved

}  // namespace

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
  const double tolerance = close_enough * std::max(std::abs(value), std::isfinite(distance) ? std::abs(out_[0]) : 0.0);
  for (int step = 0; step < most_newton_steps && std::isfinite(distance); ++step) {
    const double slope = out_[place];
    if (std::abs(distance) <= tolerance && slope != 0 && std::isfinite(slope))
      return Inverted{.state = at, .slope = slope, .sigma = out_[1]};
    double move = -distance / slope;
    if (!std::isfinite(move)) return std::nullopt;
    double next = distance_at(at + move);
    for (int halving = 0; halving < most_backtracks && !(std::abs(next) < std::abs(distance)); ++halving)
      next = distance_at(at + (move *= 0.5));
    if (!(std::abs(next) < std::abs(distance))) return std::nullopt;
    at += move;
    distance = next;
  }
  return std::nullopt;
}

}  // namespace salvo::start
