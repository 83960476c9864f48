#pragma once

#include <tuple>
#include <vector>

#include "base/exact_text.hpp"
#include "solve/state/state.hpp"

// What is written of a state (base/exact_text.hpp), for whoever writes it along with other things.
namespace salvo {

template <>
struct Parts<nlp::Request> {
  static auto of(auto& request) {
    return std::tie(request.accuracy, request.max_steps, request.stiff, request.smoothing, request.rows);
  }
};
template <>
struct Parts<solve::Linearised> {
  static auto of(auto& linearised) { return std::tie(linearised.at, linearised.request); }
};
template <>
struct Parts<solve::Passed> {
  static auto of(auto& passed) { return std::tie(passed.gap, passed.objective); }
};
template <>
struct Parts<solve::SecantTerm> {
  static std::tuple<std::vector<double>, bool> of(const solve::SecantTerm& term) {
    return {term.S().data, term.is_better()};
  }
  static solve::SecantTerm made(std::vector<double> entries, bool is_better) { return {std::move(entries), is_better}; }
};
template <>
struct Parts<solve::Bfgs> {
  static std::tuple<int, std::vector<double>> of(const solve::Bfgs& bfgs) { return {bfgs.unknowns(), bfgs.numbers()}; }
  static solve::Bfgs made(int unknowns, const std::vector<double>& numbers) { return {unknowns, numbers}; }
};

}  // namespace salvo

namespace salvo::solve {

template <class Self, class Visit>
void each_counter(Self& counters, Visit&& visit) {
  visit("iterations", counters.iterations);
  visit("trials", counters.trials);
  visit("attempts", counters.attempts);
  visit("idle", counters.idle);
  visit("torn_ends", counters.torn_ends);
  visit("contradictions", counters.contradictions);
  visit("frozen_phases", counters.frozen_phases);
  visit("unresolved", counters.unresolved);
  visit("little_steps", counters.little_steps);
}

// A state as values with names, in one order: what is listed here is written, and read again.
template <class Self, class Visit>
void each_member(Self& state, Visit&& visit) {
  visit("phase", state.phase);
  visit("point", state.point);
  visit("request", state.request);
  visit("linearised", state.linearised);
  visit("objective", state.objective);
  visit("gap", state.gap);
  visit("violation", state.violation);
  visit("promised", state.promised);
  visit("length", state.length);
  visit("length_before", state.length_before);
  visit("multiplier", state.multiplier);
  visit("took_full_step", state.took_full_step);
  visit("is_searching", state.is_searching);
  visit("is_rough", state.is_rough);
  visit("fraction", state.fraction);
  visit("damping_joined", state.damping_joined);
  visit("damping", state.damping);
  visit("penalty", state.penalty);
  visit("least_promised", state.least_promised);
  visit("gap_at_update", state.gap_at_update);
  visit("multipliers", state.multipliers);
  visit("pending", state.pending);
  visit("constraint_multipliers", state.constraint_multipliers);
  visit("passed", state.passed);
  visit("radius", state.radius);
  visit("units", state.units);
  visit("secant", state.secant);
  visit("is_hessian_tried", state.is_hessian_tried);
  visit("was_good", state.was_good);
  visit("hessian_asked_at", state.hessian_asked_at);
  visit("gap_penalties", state.gap_penalties);
  visit("curvature", state.curvature);
  visit("is_curvature_fresh", state.is_curvature_fresh);
  each_counter(state.counters, visit);
}

}  // namespace salvo::solve
