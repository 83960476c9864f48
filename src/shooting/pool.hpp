#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace salvo::shooting {

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
    const std::lock_guard lock(guard_);
    if (idle_.empty()) return Loan(*this, std::make_unique<T>());
    std::unique_ptr<T> thing = std::move(idle_.back());
    idle_.pop_back();
    return Loan(*this, std::move(thing));
  }

 private:
  void take_back(std::unique_ptr<T> thing) {
    const std::lock_guard lock(guard_);
    idle_.push_back(std::move(thing));
  }

  std::mutex guard_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace salvo::shooting
