#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <ctime>

namespace salvo::cli {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<bool> interrupted{false};
std::atomic<long> first_time{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<long>::is_always_lock_free);

// `timeout` and some shells send a signal to the process and at once again to its group; that is one wish, not two.
constexpr long one_wish = 1000;  // milliseconds, for machines that stall

long milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

void remember(int signal) {
  if (!interrupted.exchange(true)) {
    first_time = milliseconds();
    return;
  }
  if (milliseconds() - first_time < one_wish) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return interrupted; }

}  // namespace salvo::cli
