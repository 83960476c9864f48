#include "pump.hpp"

#include <chrono>

#include "without_gil.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

constexpr std::chrono::milliseconds nap{50};
constexpr std::size_t most_waiting = 10'000;  // events that nobody has fetched yet; of more the oldest are let go

void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace

Pump::Pump(Work work) : thread_([this, work = std::move(work)] { run(work); }) {}

Pump::~Pump() { stop(); }

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
