#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "salvo/run.hpp"

namespace salvo::python {

// A long computation on a thread of its own that never touches Python. The thread that asked for it waits, and between
// its naps looks for signals and hands on what has happened.
class Pump {
 public:
  using Work = std::function<void(const RunContext&)>;

  explicit Pump(Work work);
  ~Pump();  // asks the work to stop and waits for it
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  // Waits until something has happened, the work is done or a nap is over, without the lock of Python.
  void wait();
  bool is_done() const { return done_.load(); }
  void stop() { stop_.store(true); }
  bool is_stopped() const { return stop_.load(); }
  // What has happened since it was asked last.
  std::vector<Event> take();
  // Throws what the work has thrown.
  void finish();

  // Asks all that run to stop, and waits for them for a while: before an interpreter goes away, with what they use.
  static void stop_all();

 private:
  void run(const Work& work);

  std::atomic<bool> stop_{false};
  std::atomic<bool> done_{false};
  std::mutex guard_{};  // of the events
  std::condition_variable changed_{};
  std::vector<Event> events_{};
  std::exception_ptr trouble_{};
  std::jthread thread_{};
};

// Runs the work and calls `listener` (None, or a function of one event) in this thread. The first Ctrl-C asks the work
// to stop, and what it has reached is its result; a second one raises KeyboardInterrupt once it has stopped, as does
// any other exception of a signal's handler or of the listener.
struct Ending {
  bool interrupted = false;
};
Ending run_and_listen(const Pump::Work& work, const pybind11::object& listener);

pybind11::object to_python(const Event& event);

}  // namespace salvo::python
