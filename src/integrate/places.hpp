#pragma once

#include <cstddef>
#include <utility>

namespace salvo::integrate {

// Gives arrays their places behind `base`, one after the other, and knows how much they need; without a base it only
// counts. Three cache lines lie between arrays, or those of 128 states would all meet in the same places of the cache.
class Places {
 public:
  explicit Places(double* base) : base_(base) {}

  double* give(std::size_t count) {
    constexpr std::size_t line = 8;
    const std::size_t from = std::exchange(needed_, needed_ + (count + line - 1) / line * line + 3 * line);
    return base_ == nullptr ? nullptr : base_ + from;
  }
  std::size_t needed() const { return needed_; }

 private:
  double* base_;
  std::size_t needed_ = 0;
};

}  // namespace salvo::integrate
