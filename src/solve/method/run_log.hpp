#pragma once

#include <string>
#include <utility>

#include "base/run_context.hpp"
#include "solve/result.hpp"

namespace salvo::solve {

// What a solver has reached so far: it notes every iteration, tells the caller, and ends in a result.
class RunLog {
 public:
  RunLog(SolveResult& result, int thetas, const RunContext& context)
      : result_(result), thetas_(thetas), context_(context) {}

  // At result.q.
  void note(int iteration, double objective, double gap, double step, double multiplier, std::string_view phase = {},
            std::string_view rule = {}) {
    result_.iterations = iteration;
    result_.objective = objective;
    result_.gap = gap;
    result_.trace.push_back(
        {iteration, objective, gap, step, multiplier, {result_.q.begin(), result_.q.begin() + thetas_}, phase, rule});
    result_.film.keep({iteration, 0, result_.q});
    context_.tell(IterationDone{iteration, objective, gap, step, phase, rule});
  }
  SolveResult finish(Termination termination, const nlp::Evaluation& obstacle) {
    result_.chain = obstacle.chain;
    result_.link = obstacle.link;
    return finish(termination, obstacle.trouble);
  }
  SolveResult finish(Termination termination, std::string trouble = {}) {
    result_.termination = termination;
    result_.trouble = std::move(trouble);
    return std::move(result_);
  }

 private:
  SolveResult& result_;
  int thetas_;
  const RunContext& context_;
};

}  // namespace salvo::solve
