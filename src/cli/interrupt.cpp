#include "cli/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "cli/exit_code.hpp"

namespace salvo::cli {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<bool> interrupted{false};
std::atomic<bool> interrupted_by_hand{false};
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
  if (signal != SIGTERM) interrupted_by_hand = true;
  if (!interrupted.exchange(true)) {
    first_time = milliseconds();
    return;
  }
  if (milliseconds() - first_time < one_wish) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void remember_time_is_over(int) { interrupted = true; }

void leave(int) { _exit(exit_code::interrupted); }

void leave_and_come_again(int) { _exit(exit_code::more_to_do); }

// A hangup that is ignored (nohup) stays so.
void handle_wishes(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&action.sa_mask, signal);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

void handle_schedulers(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGTERM, SIGUSR1, SIGXCPU}) sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() { handle_wishes(remember); }

void leave_on_interrupts() { handle_wishes(leave); }

void leave_to_schedulers() { handle_schedulers(leave_and_come_again); }

void catch_wishes_of_schedulers() { handle_schedulers(remember_time_is_over); }

bool was_interrupted() { return interrupted; }

bool was_interrupted_by_hand() { return interrupted_by_hand; }

}  // namespace salvo::cli
