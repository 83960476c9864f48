#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace salvo {

// What a run tells the outside while it goes on. The library never prints.
struct IterationDone {
  int iteration = 0;
  double objective = 0;
  double gap = 0;
  double step = 0;
};
struct StartDone {  // one of several starts or replicates is finished
  int done = 0;
  int of = 0;
  bool converged = false;
};
struct Remark {  // a choice that was made, with its reason
  std::string text{};
  bool is_detail = false;  // of how it is computed: for those who ask
};
using Event = std::variant<IterationDone, StartDone, Remark>;

// How a long computation talks to its caller: progress out, the wish to stop in.
struct RunContext {
  std::function<void(const Event&)> listener{};  // called by one thread at a time
  std::function<bool()> interrupted{};           // may be called by any thread
  std::optional<std::chrono::steady_clock::time_point> deadline{};

  void tell(const Event& event) const {
    if (listener) listener(event);
  }
  bool is_interrupted() const { return interrupted && interrupted(); }
  bool is_past_deadline() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
  bool should_stop() const { return is_interrupted() || is_past_deadline(); }
};

}  // namespace salvo
