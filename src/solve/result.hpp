#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pool.hpp"
#include "nlp/problem.hpp"
#include "solve/rules.hpp"
#include "solve/state/conflict.hpp"
#include "solve/state/ended.hpp"
#include "solve/state/film.hpp"
#include "solve/state/state.hpp"

namespace salvo::solve {

struct Iteration {
  int iteration = 0;
  double objective = 0;
  double gap = 0;
  double step = 0;        // scaled length of the step that led here
  double multiplier = 0;  // largest multiplier of the gaps
  std::vector<double> theta{};
  std::string phase{};  // of the search in which it was reached ...
  std::string rule{};   // ... and the rule that accepted the step
};

struct SolveResult {
  nlp::Request request{};               // with what evaluations have shown
  Ended ended = Ended::not_computable;  // never changed afterwards
  bool claims_minimum = false;          // of q: at first the run itself, then whoever proves or refutes it
  std::string trouble{};                // what stood in the way, if anything did ...
  int chain = -1;                       // ... and in which link, if it was the trajectory of one
  int link = -1;
  nlp::Point q{};
  // With derivatives: at q if the run ended as `joined`; if it converged, at a point that is, relative to the sizes,
  // not further than a few tolerances from q. Empty if it is neither.
  nlp::Blocks linearized{};
  double objective = 0;
  double gap = 0;
  double violation = 0;  // of the constraints
  double promised = 0;   // by the step that was not taken any more, of the objective
  int iterations = 0;
  std::vector<Iteration> trace{};
  Film film{};
  std::vector<double> multipliers{};    // of every constraint row (nlp::each_constraints), at the last step
  Conflict conflict{};                  // what cannot hold together, if the method ended for that
  State state{};                        // from which the run can be gone on with
  std::optional<int> best_iteration{};  // by the judge; q is then that point
};

// The run ended for itself, with trajectories as far as they are joined, at a point that is not claimed to be a
// minimum.
inline bool is_stalled(const SolveResult& result, const GapRules& gaps) {
  if (result.claims_minimum) return false;
  if (result.ended == Ended::no_step) return std::max(result.gap, result.violation) <= gaps.joined;
  return result.ended == Ended::tolerance || result.ended == Ended::early_stopping || result.ended == Ended::joined;
}

// A point as data judge it that are not fitted.
struct Judged {
  double score = std::numeric_limits<double>::infinity();  // the smaller the better
  nlp::Point q{};                                          // the point with its trajectories joined
  double objective = 0;
  double gap = 0;
};

struct NodesMemory;

// Whoever keeps a run on its way, so that it can be gone on with after it was cut off.
struct RunKeeper {
  std::function<void()> at_step{};                 // told before every trial, with nothing between two of them
  std::function<bool()> is_due{};                  // asked then
  std::function<void(const SolveResult&)> keep{};  // the run so far, with its state
  std::function<void()> restored{};                // what a run goes on from has been evaluated again
};

struct SolveOptions {
  Rules rules{};
  double enough = 0;  // a step that promises no more ends a descent
  std::string_view phase{};
  int max_iterations = 200;
  double tolerance = 1e-8;        // of the scaled step
  bool asks_before_end = false;   // a descent, for the Hessian, where rows promise more than they give
  bool stop_when_joined = false;  // as soon as the trajectories are nearly joined and full steps are taken
  nlp::Request request{};         // of every evaluation
  // If not 0, trajectories have this accuracy until steps are short, and for so many iterations.
  double search_accuracy = 0;
  int search_iterations = 0;
  Pool<NodesMemory>* memories = nullptr;             // that runs on nodes borrow from; null: each has its own
  std::function<Judged(const nlp::Point&)> judge{};  // if there is one, the best point that it has seen is the answer
  const RunKeeper* keeper = nullptr;                 // null: nobody keeps the run
};

}  // namespace salvo::solve
