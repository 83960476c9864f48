#pragma once

#include <utility>

#include "base/run_context.hpp"
#include "solve/accept/verdict.hpp"
#include "solve/method/early_stopping.hpp"
#include "solve/result.hpp"
#include "solve/state/state.hpp"

namespace salvo::solve {

inline constexpr std::string_view start_rule = "start";

// Those who watch a run: its trace, its film, whoever is told of iterations, and early stopping. None of them is part
// of its state. At the end they make the result.
class Observers {
 public:
  Observers(const SolveOptions& options, const RunContext& context, int thetas)
      : context_(context), thetas_(thetas), early_stopping_(options) {}

  // After the start and every step that stands.
  void look_at(std::string_view phase, std::string_view rule, const State& state) {
    const int k = state.counters.iterations;
    result_.trace.push_back({k,
                             state.objective,
                             state.gap,
                             state.length,
                             state.multiplier,
                             {state.point.begin(), state.point.begin() + thetas_},
                             std::string(phase),
                             std::string(rule)});
    result_.film.keep({k, 0, state.point});
    context_.tell(IterationDone{k, state.objective, state.gap, state.length, phase, rule});
    if (rule != start_rule) early_stopping_.look_at(state);
  }
  bool are_over() const { return early_stopping_.is_over(); }

  // The run up to here, from where it can be gone on with.
  SolveResult so_far(const State& state) const {
    SolveResult result = result_;
    result.ended = Ended::interrupted;
    result.iterations = state.counters.iterations;
    result.q = state.point;
    result.state = state;
    return result;
  }

  template <class Workspace>
  SolveResult finish(Workspace& work, State state, Ending ending) {
    result_.ended = ending.ended;
    result_.claims_minimum = ending.ended == Ended::tolerance || ending.ended == Ended::early_stopping;
    result_.trouble = std::move(ending.trouble);
    result_.iterations = state.counters.iterations;
    result_.objective = state.objective;
    result_.gap = state.gap;
    result_.violation = state.violation;
    result_.promised = state.promised;
    result_.request = state.request;
    result_.q = state.point;
    result_.multipliers = state.constraint_multipliers;
    work.describe_end(ending, result_);
    result_.state = std::move(state);
    return early_stopping_.best_of(std::move(result_));
  }

 private:
  const RunContext& context_;
  int thetas_;
  EarlyStopping early_stopping_;
  SolveResult result_{};
};

}  // namespace salvo::solve
