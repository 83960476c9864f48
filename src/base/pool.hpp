#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace salvo {

// Objects that are lent to one borrower at a time, on any thread, and keep the memory they have come to.
template <class T>
class Pool {
 public:
  class Loan {
   public:
    Loan(Pool& pool, std::unique_ptr<T> thing) : pool_(pool), thing_(std::move(thing)) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { pool_.take_back(std::move(thing_)); }
    T& operator*() const { return *thing_; }

   private:
    Pool& pool_;
    std::unique_ptr<T> thing_;
  };

  Loan borrow() {
    return borrow([] { return T(); });
  }
  // One for good, whose memory somebody has left; and what is left, unless there are enough of them already.
  T give_away() {
    std::unique_ptr<T> thing = idle();
    return thing ? std::move(*thing) : T();
  }
  void leave(T thing) {
    constexpr std::size_t enough = 8;
    const std::lock_guard lock(guard_);
    if (idle_.size() < enough) idle_.push_back(std::make_unique<T>(std::move(thing)));
  }
  // What has been lent before, in whatever state it came back, or a new one.
  template <class Make>
  Loan borrow(const Make& make) {
    std::unique_ptr<T> thing = idle();
    if (!thing) thing = std::make_unique<T>(make());
    return Loan(*this, std::move(thing));
  }

 private:
  std::unique_ptr<T> idle() {
    const std::lock_guard lock(guard_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<T> thing = std::move(idle_.back());
    idle_.pop_back();
    return thing;
  }
  void take_back(std::unique_ptr<T> thing) {
    const std::lock_guard lock(guard_);
    idle_.push_back(std::move(thing));
  }

  std::mutex guard_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace salvo
