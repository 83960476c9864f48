#pragma once

#include <atomic>
#include <limits>

namespace salvo {

// The account of one fit. Its currency is the operation: one instruction of a formula, evaluated once for one
// trajectory (docs/mathematics.md, section 21). Every evaluation is charged to it, whoever asked for it; since nothing
// but counts enters, the same fit spends the same on every machine and with any number of threads.
class Ledger {
 public:
  static constexpr double without_limit = std::numeric_limits<double>::infinity();

  explicit Ledger(double allowed = without_limit) : allowed_(allowed) {}

  // As it stood when a run was written down that now goes on.
  void stand_at(long operations) { spent_.store(operations, std::memory_order_relaxed); }
  void charge(long operations) { spent_.fetch_add(operations, std::memory_order_relaxed); }
  double spent() const { return static_cast<double>(spent_.load(std::memory_order_relaxed)); }
  double allowed() const { return allowed_; }
  // What is left of it, in shares of the whole; 1 where there is no limit.
  double left() const { return allowed_ == without_limit ? 1 : 1 - spent() / allowed_; }

 private:
  double allowed_;
  std::atomic<long> spent_{0};
};

// A part of an account: whoever holds it may work until this much has been spent in all.
struct Share {
  const Ledger* ledger = nullptr;  // null: there is no limit
  double until = Ledger::without_limit;

  bool is_spent() const { return ledger != nullptr && ledger->spent() >= until; }
};

}  // namespace salvo
