#pragma once

#include <chrono>
#include <string>

#include "base/tasks/header.hpp"
#include "base/tasks/state_keeper.hpp"

namespace salvo::journal {

// Two files in the folder of the results, state.1.jsonl and state.2.jsonl, which are written in turn: each under
// another name first, then on the disk, then renamed. Whenever the process is killed, one of them is whole.
class StateFiles final : public StateKeeper {
 public:
  // One that begins anew takes nothing of what is there.
  StateFiles(std::string folder, RunHeader header, bool goes_on = true);

  bool is_due() override;
  void keep(const std::string& state) override;
  std::optional<std::string> kept() override;

  // How this run differs from the one whose state is there; empty if it does not, or there is none.
  std::string difference() const;
  bool is_there() const;  // a state of any run
  void remove();          // the run has come to its end
  // Why the state could not be kept lately; empty if it could. The run goes on all the same.
  const std::string& trouble() const { return trouble_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::string folder_;
  RunHeader header_;
  bool goes_on_;
  long count_ = 0;  // of states that were kept
  Clock::time_point next_;
  std::string trouble_{};
};

}  // namespace salvo::journal
