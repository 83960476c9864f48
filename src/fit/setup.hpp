#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fit/fit.hpp"
#include "shooting/shooting_problem.hpp"
#include "solve/result.hpp"

namespace salvo::fit {

// A problem with everything decided that a fit needs.
struct Setup {
  std::unique_ptr<model::Problem> problem{};  // with the guesses of the options
  std::unique_ptr<shooting::ShootingProblem> shooting{};
  nlp::Point start{};
  std::string start_choice{};  // in words; empty for a start that was asked for
  model::Method method = model::Method::gauss_newton;
  solve::SolveOptions solve{};
};

// `compiled` may be passed on from an earlier fit of the same model.
Setup make_setup(const model::Problem& problem, const Options& options,
                 std::shared_ptr<const compile::CompiledModel> compiled = nullptr);

// What was decided, in words.
struct Choices {
  std::string method{};
  std::string derivatives{};
  std::string integrator{};
  int nodes = 0;  // over all experiments, first and last included
};
Choices choices_of(const Setup& setup);

// Runs the chosen solver. Noise laws with a corner are smoothed less and less.
solve::SolveResult run_solver(Setup& setup, const RunContext& context);

}  // namespace salvo::fit
