#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace salvo::cli {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void give_back(int signal) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
}

void remember(int) {
  interrupted = true;
  give_back(SIGINT);
  give_back(SIGTERM);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return interrupted; }

}  // namespace salvo::cli
