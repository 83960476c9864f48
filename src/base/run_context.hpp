#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/ledger.hpp"

namespace salvo {

class Helpers;
class StateKeeper;
class StopFlag;
class TaskBoard;

// What a run tells the outside while it goes on. The library never prints.
struct IterationDone {
  int iteration = 0;
  double objective = 0;
  double gap = 0;
  double step = 0;
  std::string_view phase{};  // of the search
  std::string_view rule{};   // that accepted the step
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
  const StopFlag* stop = nullptr;  // raised once should_stop() (base/watch.hpp); null: nobody watches
  bool hears_details = true;       // of remarks on how it is computed, which take time to make
  Share share{};                   // what this part of the run may spend; a loop that can take long asks for it
  TaskBoard* board = nullptr;      // that keeps what tasks come to (base/tasks.hpp); null: nobody does
  StateKeeper* keeper = nullptr;   // of the state of one long run (base/tasks/state_keeper.hpp); null: there is none
  Helpers* helpers = nullptr;      // who compute parts of long evaluations (base/helpers.hpp); null: there are none

  void tell(const Event& event) const {
    if (listener) listener(event);
  }
  // Makes the text of a detail only if somebody hears it.
  template <class MakeText>
  void tell_detail(const MakeText& text) const {
    if (listener && hears_details) listener(Remark{.text = text(), .is_detail = true});
  }
  void stop_after(double seconds) {
    using Clock = std::chrono::steady_clock;
    constexpr double for_ever = 1e9;  // a clock cannot count much further
    deadline = Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, for_ever)));
  }
  bool is_interrupted() const { return interrupted && interrupted(); }
  bool is_past_deadline() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
  bool is_spent() const { return share.is_spent(); }
  bool should_stop() const { return is_interrupted() || is_past_deadline(); }
};

}  // namespace salvo
