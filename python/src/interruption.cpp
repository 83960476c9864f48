#include "interruption.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "without_gil.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

// A handler is a property of the process, and only Python's main thread, of which there is one, exchanges it.
std::atomic<StopFlag*> raised_by_signal{nullptr};
struct sigaction of_python {};

void on_interrupt(int signal, siginfo_t* about, void* context) {
  if (StopFlag* flag = raised_by_signal.load()) flag->raise();
  if ((of_python.sa_flags & SA_SIGINFO) != 0)
    of_python.sa_sigaction(signal, about, context);
  else
    of_python.sa_handler(signal);
}

bool is_main_thread() { return syscall(SYS_gettid) == getpid(); }

bool is_handled(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

FlagOnInterrupt::FlagOnInterrupt(StopFlag& flag) {
  if (!is_main_thread() || sigaction(SIGINT, nullptr, &of_python) != 0 || !is_handled(of_python)) return;
  struct sigaction ours = of_python;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = on_interrupt;
  raised_by_signal = &flag;
  is_ours_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

FlagOnInterrupt::~FlagOnInterrupt() {
  if (!is_ours_) return;
  sigaction(SIGINT, &of_python, nullptr);
  raised_by_signal = nullptr;
}

fit::Objective::Status Interruptible::run(const Compute& compute) {
  const bool is_main = is_main_thread();
  for (;;) {
    const long before = interruptions_;
    fit::Objective::Status status;
    without_gil([&] {
      const FlagOnInterrupt guard(flag_);
      status = compute();
    });
    const bool was_stopped = flag_.is_raised() || interruptions_ != before;
    if (is_main && flag_.is_raised()) {
      flag_.lower();
      ++interruptions_;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    if (status.ok || !was_stopped) return status;
    if (!is_main) without_gil([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  }
}

}  // namespace salvo::python
