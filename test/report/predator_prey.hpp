#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "model/problem.hpp"
#include "results/fit_result.hpp"

// A problem and results filled by hand, so that what is reported does not depend on how it was computed.
namespace salvo::test {

using PredatorPreyState = std::array<double, 2>;
using PredatorPreyParameters = std::array<double, 4>;

// x1' = -p1 x1 + p2 x1 x2, x2' = p3 x2 - p4 x1 x2
inline PredatorPreyState predator_prey_slope(const PredatorPreyState& x, const PredatorPreyParameters& p) {
  return {-p[0] * x[0] + p[1] * x[0] * x[1], p[2] * x[1] - p[3] * x[0] * x[1]};
}

inline PredatorPreyState runge_kutta_step(const PredatorPreyState& x, const PredatorPreyParameters& p, double h) {
  const auto moved = [&](const PredatorPreyState& k, double by) {
    return PredatorPreyState{x[0] + by * k[0], x[1] + by * k[1]};
  };
  const auto k1 = predator_prey_slope(x, p);
  const auto k2 = predator_prey_slope(moved(k1, h / 2), p);
  const auto k3 = predator_prey_slope(moved(k2, h / 2), p);
  const auto k4 = predator_prey_slope(moved(k3, h), p);
  PredatorPreyState next = x;
  for (std::size_t i = 0; i < 2; ++i) next[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return next;
}

inline constexpr int samples_per_interval = 40;

inline Arc predator_prey_arc(int interval, double begin, double end, PredatorPreyState x,
                             const PredatorPreyParameters& p) {
  Arc arc{0, interval, {}, Matrix(2, samples_per_interval + 1), Matrix(2, samples_per_interval + 1)};
  const double h = (end - begin) / samples_per_interval;
  for (int i = 0; i <= samples_per_interval; ++i) {
    arc.time.push_back(begin + i * h);
    for (int k = 0; k < 2; ++k) arc.states(k, i) = arc.observables(k, i) = x[static_cast<std::size_t>(k)];
    x = runge_kutta_step(x, p, h);
  }
  return arc;
}

inline PredatorPreyState end_of(const Arc& arc) {
  return {arc.states(0, samples_per_interval), arc.states(1, samples_per_interval)};
}

struct Example {
  model::Problem problem{};
  FitResult result{};
};

inline model::Problem predator_prey_problem() {
  model::Problem problem;
  problem.title = "Predator and prey";
  problem.file = "predator_prey.yaml";
  problem.states = {{.id = "x1"}, {.id = "x2"}};
  for (const char* id : {"p1", "p2", "p3", "p4"}) problem.parameters.push_back({.id = id, .value = model::Estimated{}});
  problem.observables = {{.id = "predator"}, {.id = "prey"}};
  problem.experiments = {{.id = model::default_experiment, .initial = {model::Estimated{}, model::Estimated{}}}};
  return problem;
}

// Eleven noisy observations of both animals; ten intervals that begin on the data at the start, and are joined at the
// solution.
inline Example predator_prey(double sigma = 0.05) {
  constexpr std::array<double, 22> noise{0.3,  -0.8, 1.1, -0.4, 0.2, 0.9,  -1.3, 0.1,  -0.6, 1.4,  0.5,
                                         -0.2, 0.7,  -1,  0.6,  1.2, -0.5, 0.4,  -0.9, 0.8,  -0.1, -1.1};
  const PredatorPreyParameters truth{1, 1, 1, 1};
  const PredatorPreyParameters guess{0.5, 0.5, 0.5, -0.2};
  Example example{predator_prey_problem(), {}};
  auto& [problem, result] = example;

  PredatorPreyState x{0.4, 1};
  PredatorPreyState measured{};
  for (int j = 0; j <= 10; ++j) {
    for (int k = 0; k < 2; ++k) {
      const int row = 2 * j + k;
      const double simulation = x[static_cast<std::size_t>(k)];
      const double residual = noise[static_cast<std::size_t>(row)];
      const double value = measured[static_cast<std::size_t>(k)] = simulation + sigma * residual;
      problem.measurements.push_back({0, k, 1.0 * j, value, std::nullopt});
      const double llh = -0.5 * std::log(2 * std::acos(-1.0) * sigma * sigma) - 0.5 * residual * residual;
      result.predictions.push_back({row, simulation, sigma, llh, residual, residual, sigma});
      result.llh += llh;
      result.chi2 += residual * residual;
    }
    if (j == 10) break;
    result.start_arcs.push_back(predator_prey_arc(j, j, j + 1, measured, guess));
    result.solution_arcs.push_back(predator_prey_arc(j, j, j + 1, x, truth));
    x = end_of(result.solution_arcs.back());
  }

  result.problem = problem.file;
  result.method = model::Method::gauss_newton;
  result.derivatives = model::Derivatives::tangent;
  result.integrator = "dopri5";
  result.nodes = 11;
  result.status = Status::converged;
  result.message = "Converged: the step is below the tolerance and the trajectories are joined.";
  result.objective = -result.llh;
  result.measurements = 22;
  result.degrees_of_freedom = 16;
  result.aic = 12 - 2 * result.llh;
  result.bic = 6 * std::log(22.0) - 2 * result.llh;
  result.p_value = 0.25;
  result.gap = 3e-12;
  const std::array<double, 6> error{0.0123, 0.0217, 0.0312, 0.0089, 0.011, 0.025};
  for (int k = 0; k < 6; ++k) {
    const double value = k == 4 ? 0.4 : 1;
    const double se = error[static_cast<std::size_t>(k)];
    const std::pair interval{value - 1.96 * se, value + 1.96 * se};
    if (k < 4)
      result.parameters.push_back({.id = problem.parameters[static_cast<std::size_t>(k)].id,
                                   .estimate = value,
                                   .standard_error = se,
                                   .interval = interval});
    else
      result.initial.push_back({.id = problem.states[static_cast<std::size_t>(k - 4)].id,
                                .experiment = model::default_experiment,
                                .estimate = value,
                                .standard_error = se,
                                .interval = interval});
  }
  result.covariance_ids = {"p1", "p2", "p3", "p4", "x1", "x2"};
  result.covariance = Matrix(6, 6);
  for (int k = 0; k < 6; ++k)
    result.covariance(k, k) = error[static_cast<std::size_t>(k)] * error[static_cast<std::size_t>(k)];
  result.iterations = 9;
  result.work = {100, 600, 0, 12345, 0.0123};
  result.trace = {{0, 812.5, 0.9, 0, 0, "search", "start", {0.5, 0.5, 0.5, -0.2}},
                  {1, result.objective, 3e-12, 1e-9, 0.2, "precise", "full", {1, 1, 1, 1}}};
  return example;
}

}  // namespace salvo::test
