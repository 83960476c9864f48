#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/tasks/board.hpp"

namespace salvo {

// Keeps what it is given in memory, and gives out what is missing.
class MemoryBoard final : public TaskBoard {
 public:
  int open(const TaskList& list) override {
    list_ = list;
    next_ = 0;
    return 0;
  }
  std::optional<int> next() override {
    const std::lock_guard lock(guard_);
    while (next_ < list_.count && kept_.contains({list_.kind, next_})) ++next_;
    return next_ < list_.count ? std::optional(next_++) : std::nullopt;
  }
  void keep(int task, const std::string& result, double) override {
    const std::lock_guard lock(guard_);
    kept_[{list_.kind, task}] = result;
    ++count;
  }
  std::optional<Kept> kept(int task) override {
    const auto found = kept_.find({list_.kind, task});
    return found == kept_.end() ? std::nullopt : std::optional(Kept{.result = found->second});
  }
  void forget(const std::string& kind, int task) { kept_.erase({kind, task}); }

  int count = 0;  // of what was kept

 private:
  TaskList list_{};
  int next_ = 0;
  std::mutex guard_{};
  std::map<std::pair<std::string, int>, std::string> kept_{};
};

}  // namespace salvo
