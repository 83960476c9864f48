#pragma once

// Ways of taming Gauss-Newton steps that were tried and not kept (docs/decisions/globalisation.md), so that their rates
// can be measured beside the one that was.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "nlp/constraints.hpp"
#include "nlp/problem.hpp"
#include "solve/elimination/elimination.hpp"
#include "solve/result.hpp"
#include "solve/step/penalty_step.hpp"

namespace salvo::bench {

enum class Globalisation { none, natural_level, merit, filter, penalty };

inline const char* name(Globalisation globalisation) {
  switch (globalisation) {
    case Globalisation::none: return "full steps";
    case Globalisation::natural_level: return "natural level";
    case Globalisation::merit: return "l1 merit";
    case Globalisation::filter: return "filter";
    case Globalisation::penalty: return "trust region, penalty";
  }
  return "";
}

inline double scaled_norm(const std::vector<double>& delta, const std::vector<double>& sizes) {
  double sum = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) sum += delta[i] / sizes[i] * (delta[i] / sizes[i]);
  return std::sqrt(sum);
}

inline double sum_of_gaps(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes) {
  double sum = 0;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j)
      for (std::size_t i = 0; i < blocks.chains[c].links[j].gap.size(); ++i)
        sum += std::abs(blocks.chains[c].links[j].gap[i]) / sizes[layout.chains[c].offset[j + 1] + i];
  return sum;
}

inline nlp::Point moved(const nlp::Layout& layout, nlp::Point q, const std::vector<double>& delta, double fraction) {
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] = std::clamp(q[i] + fraction * delta[i], layout.lower[i], layout.upper[i]);
  return q;
}

// Gauss-Newton steps, halved until the rule accepts one.
inline solve::SolveResult damped_gauss_newton(const nlp::Problem& problem, nlp::Point q, Globalisation rule) {
  solve::SolveResult result;
  nlp::Blocks blocks;
  nlp::Blocks trial;
  std::vector<std::pair<double, double>> filter;
  double weight = 1;  // of the gaps in the l1 merit
  const nlp::Layout& layout = problem.layout();
  for (result.iterations = 0; result.iterations < 200; ++result.iterations) {
    result.q = q;
    if (!problem.linearize(q, blocks).ok) return result;
    const std::vector<double> sizes = problem.sizes(q);
    solve::Elimination elimination(layout, blocks, sizes, std::clamp(blocks.gap, 1e-9, 1e-3));
    const auto step = elimination.solve(blocks, q);
    const double length = scaled_norm(step.delta, sizes);
    const double gaps = sum_of_gaps(layout, blocks, sizes);
    filter.push_back({gaps, blocks.objective});
    if (gaps > 0) weight = std::max(weight, 2 * std::abs(blocks.objective) / gaps);
    double fraction = 1;
    for (; fraction > 1e-4; fraction *= 0.5) {
      const nlp::Point next = moved(layout, q, step.delta, fraction);
      if (!problem.values(next, trial).ok) {
        if (rule == Globalisation::none) return result;
        continue;
      }
      const double next_gaps = sum_of_gaps(layout, trial, sizes);
      bool accepted = rule == Globalisation::none || length < 1e-7;
      if (rule == Globalisation::natural_level)
        accepted |= scaled_norm(elimination.correct(trial, step), sizes) <= (1 - 0.5 * fraction) * length;
      if (rule == Globalisation::merit)
        accepted |= trial.objective + weight * next_gaps < blocks.objective + weight * gaps;
      if (rule == Globalisation::filter)
        accepted |= std::none_of(filter.begin(), filter.end(), [&](const auto& entry) {
          return next_gaps > 0.99 * entry.first && trial.objective > entry.second - 1e-3 * entry.first;
        });
      if (accepted) break;
    }
    if (fraction <= 1e-4) return result;
    q = moved(layout, q, step.delta, fraction);
    if (fraction == 1 && length < 1e-8) {
      result.q = q;
      result.ended = solve::Ended::tolerance;
      result.claims_minimum = true;
      return result;
    }
  }
  return result;
}

// Levenberg-Marquardt steps for the objective with gaps at a price that grows.
inline solve::SolveResult penalty_method(const nlp::Problem& problem, nlp::Point q) {
  solve::SolveResult result;
  nlp::Blocks blocks;
  nlp::Blocks trial;
  double rho = 1;
  double mu = 0.1;
  for (result.iterations = 0; result.iterations < 200; ++result.iterations) {
    result.q = q;
    if (!problem.linearize(q, blocks).ok) return result;
    const std::vector<double> sizes = problem.sizes(q);
    const std::vector<double> constraint_sizes = nlp::constraint_sizes(problem.layout(), blocks, sizes);
    const double before = solve::penalty_objective(problem.layout(), blocks, sizes, constraint_sizes, rho);
    bool accepted = false;
    for (int attempt = 0; attempt < 40 && !accepted; ++attempt) {
      const auto step = solve::penalty_step(problem.layout(), q, blocks, sizes, rho, mu, {});
      const nlp::Point next = moved(problem.layout(), q, step.delta, 1);
      const bool ok = problem.values(next, trial).ok;
      const double decrease =
          ok ? before - solve::penalty_objective(problem.layout(), trial, sizes, constraint_sizes, rho) : -1;
      const double gain = decrease / step.predicted;
      if (gain > 0.75) mu = std::max(0.2 * mu, 1e-8);
      if (!(gain > 0.25)) mu *= 4;
      accepted = gain > 1e-3;
      if (scaled_norm(step.delta, sizes) < 1e-9 && blocks.gap < 1e-8) {
        result.ended = solve::Ended::tolerance;
        result.claims_minimum = true;
        return result;
      }
      if (!accepted) continue;
      if (decrease < 0.1 * solve::sum_of_squares(problem.layout(), blocks, sizes, rho)) rho = std::min(10 * rho, 1e12);
      q = next;
    }
    if (!accepted) return result;
  }
  return result;
}

}  // namespace salvo::bench
