#include "pump.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "without_gil.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

constexpr std::chrono::milliseconds nap{50};
constexpr std::chrono::milliseconds patience{2000};  // with what was asked to stop
constexpr std::size_t most_waiting = 10'000;  // events that nobody has fetched yet; of more the oldest are let go

// All that run, wherever Python has forgotten them: in threads that it does not wait for at its end.
struct Running {
  std::mutex guard{};
  std::condition_variable changed{};
  std::set<Pump*> pumps{};
};
Running& running() {
  static Running all;
  return all;
}

void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace

Pump::Pump(Work work) {
  {
    const std::lock_guard lock(running().guard);
    running().pumps.insert(this);
  }
  thread_ = std::jthread([this, work = std::move(work)] { run(work); });
}

Pump::~Pump() {
  stop();
  if (thread_.joinable()) thread_.join();
  {
    const std::lock_guard lock(running().guard);
    running().pumps.erase(this);
  }
  running().changed.notify_all();
}

void Pump::stop_all() {
  without_gil([] {
    std::unique_lock lock(running().guard);
    for (Pump* pump : running().pumps) pump->stop();
    const auto all_done = [] {
      return std::all_of(running().pumps.begin(), running().pumps.end(), [](Pump* pump) { return pump->is_done(); });
    };
    for (auto left = patience; left > nap && !all_done(); left -= nap) running().changed.wait_for(lock, nap);
  });
}

void Pump::run(const Work& work) {
  RunContext context;
  context.interrupted = [this] { return is_stopped(); };
  context.hears_details = false;
  context.listener = [this](const Event& event) {
    {
      const std::lock_guard lock(guard_);
      if (events_.size() == most_waiting) events_.erase(events_.begin());
      events_.push_back(event);
    }
    changed_.notify_one();
  };
  try {
    work(context);
  } catch (...) {
    trouble_ = std::current_exception();
  }
  {
    const std::lock_guard lock(guard_);
    done_.store(true);
  }
  changed_.notify_one();
}

void Pump::wait() {
  without_gil([&] {
    std::unique_lock lock(guard_);
    changed_.wait_for(lock, nap, [&] { return is_done() || !events_.empty(); });
  });
}

std::vector<Event> Pump::take() {
  const std::lock_guard lock(guard_);
  return std::exchange(events_, {});
}

void Pump::finish() {
  without_gil([&] { thread_.join(); });
  if (trouble_) std::rethrow_exception(trouble_);
}

Ending run_and_listen(const Pump::Work& work, const py::object& listener) {
  Ending ending;
  std::exception_ptr raised;
  Pump pump(work);
  for (bool is_last = false; !is_last;) {
    pump.wait();
    is_last = pump.is_done();
    try {
      look_for_signals();
      for (const Event& event : pump.take())
        if (!raised && !listener.is_none()) listener(to_python(event));
    } catch (const py::error_already_set& error) {
      pump.stop();
      if (!error.matches(PyExc_KeyboardInterrupt) || ending.interrupted) raised = std::current_exception();
      ending.interrupted = true;
    }
  }
  pump.finish();
  if (raised) std::rethrow_exception(raised);
  return ending;
}

}  // namespace salvo::python
