#include "base/watch.hpp"

namespace salvo {
namespace {

constexpr std::chrono::milliseconds between_looks{10};

}  // namespace

Watch::Watch(RunContext& context) : context_(context) {
  context.stop = &flag_;
  if (!context.deadline && !context.interrupted) return;
  if (context.should_stop()) flag_.raise();
  thread_ = std::jthread([this] { look(); });
}

Watch::~Watch() {
  {
    const std::lock_guard lock(guard_);
    is_over_ = true;
  }
  changed_.notify_all();
}

void Watch::grant(Clock::duration time) {
  const std::lock_guard lock(guard_);
  wished_.reset();
  grace_ = time;
  flag_.lower();
  if (is_time()) flag_.raise();
}

bool Watch::is_time() {
  if (!wished_ && context_.should_stop()) wished_ = Clock::now();
  return wished_ && Clock::now() - *wished_ >= grace_;
}

void Watch::look() {
  std::unique_lock lock(guard_);
  while (!is_over_) {
    if (is_time()) flag_.raise();
    changed_.wait_for(lock, between_looks);
  }
}

}  // namespace salvo
