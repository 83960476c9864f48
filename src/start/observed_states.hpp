#pragma once

#include <optional>
#include <span>
#include <vector>

#include "shooting/shooting_problem.hpp"
#include "start/rules.hpp"
#include "start/smoothing_spline.hpp"

namespace salvo::start {

// What the data of one experiment say about one state.
struct ObservedState {
  std::vector<SeriesPoint> series{};  // inverted measurements by time; empty: the state is hidden
  std::optional<Curve> curve{};       // through the series, where it is dense enough to tell the state at any time
  bool coarse = false;                // the curve can be believed at its knots only
  bool logarithmic = false;           // the curve is that of the logarithm

  double at(double t) const;  // of the smoothed curve
};

struct ObservedStates {
  int experiment = 0;
  std::vector<ObservedState> states{};
  std::vector<int> left_over{};  // measurements (indices) of which no curve was made
};

// Inverts what can be inverted: observables of one state first, then those in which only one state is without a curve.
// Parameters and states that an observable needs besides are those of `at`, the experiment's values at the guess;
// `measured` are its measurements by time.
ObservedStates observed_states(const model::Problem& problem, const compile::CompiledModel& model, int experiment,
                               const std::vector<int>& measured, const shooting::ExperimentValues& at,
                               const Rules& rules = {});

// Marks as coarse the curves that miss more of what happens between their knots than a few hundredths of their range:
// there the state is fast. Nothing if there is none.
std::optional<std::vector<ObservedStates>> with_coarse_curves_marked(const std::vector<ObservedStates>& observed,
                                                                     const CurveRules& rules = {});

// What a curve misses at a datum that it did not know, beyond what noise explains, squared.
double missed_beyond_noise(double missed, double sigma, const CurveRules& rules);

}  // namespace salvo::start
