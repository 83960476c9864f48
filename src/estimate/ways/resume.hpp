#pragma once

#include "estimate/ways/setup.hpp"
#include "estimate/ways/way.hpp"

namespace salvo::estimate {

// Whether a run was told to stop and can be gone on with. What early stopping has seen and how far the corner of a law
// is rounded are no part of a state: such runs are begun again.
bool can_go_on(const Setup& setup, const solve::SolveResult& run);

// The run that a way goes on with; null: it begins.
const StoppedRun* stopped_run(const WayTask& task);
// Its setup as it was when the last part of it began, or that of a run which begins.
Setup setup_of(const WayTask& task);

// Keeps the parts of a way's run, each as what it is a part of: with these a way goes on where it is now. Nothing is
// kept where it could not be gone on with, nor while derivatives at hand were computed by other code than the next
// ones.
class PartKeeper {
 public:
  // `stopped` makes of a run so far, on the nodes of the setup, what can be gone on with.
  PartKeeper(const Setup& setup, std::function<StoppedRun(const solve::SolveResult&)> stopped);
  PartKeeper(const PartKeeper&) = delete;
  PartKeeper& operator=(const PartKeeper&) = delete;

  const solve::RunKeeper* for_run(bool is_restored);  // null: it is not kept

 private:
  void keep(const solve::SolveResult& run);

  const Setup& setup_;
  std::function<StoppedRun(const solve::SolveResult&)> stopped_;
  solve::RunKeeper keeper_{};
  int code_changes_ = 0;
  nlp::Point linearised_before_{};  // when machine code was made last
};

// A run up to where it was stopped, and from there on.
solve::SolveResult whole_of(solve::SolveResult stopped, solve::SolveResult rest);

// An answer that was read, laid on its nodes again, with all that is not written down and follows from its point.
Found found_again(const Workspace& workspace, Answer answer);

}  // namespace salvo::estimate
