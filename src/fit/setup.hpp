#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fit/fit.hpp"
#include "shooting/watched_problem.hpp"
#include "solve/result.hpp"

namespace salvo::fit {

// A problem with everything decided that a fit needs.
struct Setup {
  std::unique_ptr<const model::Problem> guessed{};  // with the guesses of the options, if there are any
  const model::Problem* problem = nullptr;          // that one, or the caller's
  std::vector<std::string> remarks{};               // the problem's, and what was found out since
  std::unique_ptr<shooting::ShootingProblem> shooting{};
  nlp::Point start{};
  nlp::Blocks at_start{};      // with derivatives, if they are known already
  std::string start_choice{};  // in words; empty for a start that was asked for
  std::shared_ptr<const compile::CompiledModel> compiled{};
  bool adapts_nodes = false;  // nodes: auto
  std::string nodes_reason{};
  std::vector<std::vector<shooting::Grid>> grids_seen{};  // by runs of the solver; its film counts them
  std::unique_ptr<shooting::ShootingProblem> before{};    // on the grid of the start, once the solver has left it
  shooting::LastValues last_values{};                     // that the solver has seen
  model::Method method = model::Method::gauss_newton;
  std::string method_reason{};  // why it was chosen; empty if it was asked for
  solve::SolveOptions solve{};
  bool iterations_are_stated = false;  // how many there may be, by the user
  double search_rtol = 0;              // relative tolerance until steps are short; 0: that of the integrator
};

// Whether the law of a noise or a prior has one, which the solver rounds off.
bool has_corner(const model::Problem& problem);

// The problem must outlive its setup: long data are not copied. `compiled` may be passed on from an earlier fit of the
// same model, and so may `buffers`. Nothing can be evaluated once `stop` is raised; it must outlive the setup.
Setup make_setup(const model::Problem& problem, const Options& options,
                 std::shared_ptr<const compile::CompiledModel> compiled = nullptr,
                 std::shared_ptr<shooting::Buffers> buffers = nullptr, const StopFlag* stop = nullptr);
Setup make_setup(model::Problem&& problem, const Options& options,
                 std::shared_ptr<const compile::CompiledModel> compiled = nullptr,
                 std::shared_ptr<shooting::Buffers> buffers = nullptr, const StopFlag* stop = nullptr) = delete;

// What was decided, in words.
struct Choices {
  model::Method method = model::Method::automatic;
  model::Derivatives derivatives = model::Derivatives::automatic;
  std::string integrator{};
  int nodes = 0;  // over all experiments, first and last included
};
Choices choices_of(const Setup& setup);

// On the grid on which it stands.
const shooting::ShootingProblem& start_problem(const Setup& setup);
shooting::WorkCount work_of(const Setup& setup);
// Instructions of right-hand sides that were evaluated: the currency of every limit on work.
double operations_of(const Setup& setup);

}  // namespace salvo::fit
