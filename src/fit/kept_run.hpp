#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/tasks/state_keeper.hpp"
#include "estimate/kept.hpp"

namespace salvo::fit {

// A run of one or several estimates, one after the other, in the hands of a keeper: those that have come to their end,
// and how far the one under way has come.
class KeptRun final : public StateKeeper {
 public:
  explicit KeptRun(StateKeeper& keeper);

  // What the n-th estimate has come to, if a run before this one has finished it.
  std::optional<estimate::KeptEstimation> estimation(int n) const;
  void begin(int n);
  void finish(int n, const estimate::KeptEstimation& estimation);

  // Of the estimate under way.
  bool is_due() override { return keeper_.is_due(); }
  void keep(const std::string& state) override;
  std::optional<std::string> kept() override;

 private:
  void write(const std::string& under_way);

  StateKeeper& keeper_;
  std::vector<std::string> finished_{};
  std::string under_way_{};  // as a run before this one has left it; empty: it was not begun
  int current_ = 0;
};

}  // namespace salvo::fit
