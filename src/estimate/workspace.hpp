#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/ledger.hpp"
#include "estimate/options.hpp"
#include "shooting/shooting_problem.hpp"
#include "solve/method/nodes_memory.hpp"

namespace salvo::estimate {

// Memory that fits of the same model hand on to each other; null: it has its own.
struct Memory {
  std::shared_ptr<shooting::Buffers> buffers{};  // of evaluations
  std::shared_ptr<solve::NodesMemories> of_solver{};
};

// A problem with the guesses of the options, compiled once, and what evaluates it: all that answers refer to and do not
// carry along. The problem must outlive it: long data are not copied.
class Workspace {
 public:
  // `compiled` may be passed on from an earlier fit of the same model, and so may `memory`. Nothing can be evaluated
  // once `stop` is raised; it must outlive the workspace, as must those who help with long evaluations.
  Workspace(const model::Problem& problem, const Options& options,
            std::shared_ptr<const compile::CompiledModel> compiled = nullptr, Memory memory = {},
            const StopFlag* stop = nullptr, Helpers* helpers = nullptr);
  Workspace(model::Problem&& problem, const Options& options) = delete;

  const model::Problem& problem() const { return *problem_; }
  // As it was given: its guesses are sizes that are usual to the user, wherever a fit starts from.
  const model::Problem& as_given() const { return *given_; }
  const compile::CompiledModel& model() const { return *compiled_; }
  const std::shared_ptr<const compile::CompiledModel>& compiled() const { return compiled_; }
  const Options& options() const { return options_; }
  const Rules& rules() const { return options_.rules; }
  const shooting::ShootingOptions& shooting_options() const { return shooting_options_; }
  const StopFlag* stop() const { return engine_->options().stop; }
  // The account of the fit: every evaluation of a problem that is laid here is charged to it.
  const Ledger& ledger() const { return *ledger_; }
  Ledger& ledger() { return *ledger_; }
  solve::NodesMemories* memories() const { return memories_.get(); }
  shooting::WorkCount work() const { return engine_->work(); }      // of all evaluations so far
  int code_changes() const { return engine_->code_changes(); }      // how often machine code was made, ...
  int replaced_codes() const { return engine_->replaced_codes(); }  // ... and in the place of what was interpreted

  // Where its accounts stand; whoever goes on with a run that was written down lets them stand there again.
  struct Accounts {
    long spent = 0;
    shooting::WorkCount work{};
    bool is_interpreted = true;    // no machine code has been made
    bool has_interpreted = false;  // an evaluation went without machine code
  };
  Accounts accounts() const;
  void stand_at(const Accounts& accounts,
                bool holds_code = false) const;  // without new machine code, if there was none

  // The problem on these nodes.
  std::unique_ptr<shooting::ShootingProblem> on(std::vector<shooting::Grid> grids) const;
  // Along one unbroken trajectory for each experiment.
  std::unique_ptr<shooting::ShootingProblem> unbroken() const;
  // The same problem where what formulas see of the past are known curves. It is charged to the same account, and this
  // workspace must outlive it.
  std::unique_ptr<Workspace> with_known_past(std::span<const compile::KnownPast> past) const;

 private:
  Workspace(const Workspace& of, std::shared_ptr<const compile::CompiledModel> compiled);
  void start_engine(std::shared_ptr<shooting::Buffers> buffers, const StopFlag* stop,
                    shooting::SharedEvaluations shared);

  std::unique_ptr<const model::Problem> guessed_{};  // with the guesses of the options, if there are any
  const model::Problem* problem_ = nullptr;          // that one, or the caller's
  const model::Problem* given_ = nullptr;            // the caller's
  Options options_;
  std::shared_ptr<const compile::CompiledModel> compiled_;
  std::shared_ptr<Ledger> ledger_;
  std::shared_ptr<shooting::Engine> engine_;
  std::shared_ptr<solve::NodesMemories> memories_;
  shooting::ShootingOptions shooting_options_{};
};

}  // namespace salvo::estimate
