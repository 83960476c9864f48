#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/exact_text.hpp"
#include "base/parallel.hpp"
#include "base/tasks/board.hpp"

namespace salvo {

// Who watches tasks while they run. Either may be missing.
template <class T>
struct TaskWatch {
  std::function<bool()> may_begin{};              // asked before each task, by any thread
  std::function<void(int, const T&)> finished{};  // told of each task as soon as it is done, by one thread at a time
};

// Tasks whose results are worth keeping one by one: starts, replicates, sides of profiles. A `T` has Parts
// (base/exact_text.hpp), so that it can be written down and read again bit for bit.
template <class T>
struct Tasks {
  TaskList list{};
  std::function<T(int)> run{};
  TaskWatch<T> watch{};
  std::function<bool(const T&)> is_whole{};  // whether the task came to its end; missing: always
  TaskBoard* board = nullptr;                // that gives them out and keeps what they come to; null: nobody
};

template <class T>
struct TaskOutcome {
  std::optional<T> result{};  // empty if the task was not begun
  double seconds = 0;
  bool has_crashed = false;  // its process, again and again: nobody tries any more
};
// Told of every task, in the order of their indices, by one thread at a time.
template <class T>
using TakeOutcome = std::function<void(int, TaskOutcome<T>)>;

namespace detail {

template <class T>
TaskOutcome<T> timed(const Tasks<T>& tasks, int n) {
  const auto begin = std::chrono::steady_clock::now();
  TaskOutcome<T> outcome;
  outcome.result.emplace(tasks.run(n));
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

// Nothing is kept but what waits for its turn; tasks begin in their order, so that this is little.
template <class T>
void run_here(const Tasks<T>& tasks, int threads, const TakeOutcome<T>& take) {
  const int count = tasks.list.count;
  std::atomic<int> next{0};
  std::mutex guard;
  std::map<int, TaskOutcome<T>> waiting;
  int taken = 0;
  const auto loop = [&](int) {
    for (int n = next++; n < count; n = next++) {
      const bool may_begin = !tasks.watch.may_begin || tasks.watch.may_begin();
      TaskOutcome<T> outcome = may_begin ? timed(tasks, n) : TaskOutcome<T>{};
      const std::lock_guard lock(guard);
      if (tasks.watch.finished && outcome.result) tasks.watch.finished(n, *outcome.result);
      waiting.emplace(n, std::move(outcome));
      for (; !waiting.empty() && waiting.begin()->first == taken; ++taken) {
        take(taken, std::move(waiting.begin()->second));
        waiting.erase(waiting.begin());
      }
    }
  };
  parallel_for(std::min(threads, count), threads, [&](int k) {
    try {
      loop(k);
    } catch (...) {
      next = count;  // the others begin nothing new
      throw;
    }
  });
}

// What the board keeps is read again, whoever has done it: a run that was taken up computes with the same numbers as
// one that was never stopped.
template <class T>
void run_on_board(const Tasks<T>& tasks, int threads, const TakeOutcome<T>& take) {
  TaskBoard& board = *tasks.board;
  board.open({tasks.list.kind, tasks.list.count, std::min(threads, tasks.list.count)});
  std::atomic<bool> is_over{false};
  std::mutex guard;
  std::map<int, TaskOutcome<T>> cut;  // short: no board keeps them
  const auto loop = [&] {
    while (!is_over && (!tasks.watch.may_begin || tasks.watch.may_begin())) {
      const std::optional<int> n = board.next();
      if (!n) return;
      TaskOutcome<T> outcome = timed(tasks, *n);
      const bool is_whole = !tasks.is_whole || tasks.is_whole(*outcome.result);
      if (is_whole) board.keep(*n, exact_words(*outcome.result), outcome.seconds);
      const std::lock_guard lock(guard);
      if (tasks.watch.finished) tasks.watch.finished(*n, *outcome.result);
      if (!is_whole) cut.emplace(*n, std::move(outcome));
    }
  };
  parallel_for(std::min(threads, tasks.list.count), threads, [&](int) {
    try {
      loop();
    } catch (...) {
      is_over = true;
      throw;
    }
  });
  for (int n = 0; n < tasks.list.count; ++n) {
    const std::optional<TaskBoard::Kept> kept = board.kept(n);
    TaskOutcome<T> outcome;
    if (kept && !kept->has_crashed) {
      outcome.result = read_exact_words<T>(kept->result);
      if (!outcome.result)
        throw std::runtime_error("the journal holds a result of another kind for the " + tasks.list.kind + " " +
                                 std::to_string(n));
      outcome.seconds = kept->seconds;
    } else if (const auto known = cut.find(n); known != cut.end()) {
      outcome = std::move(known->second);
    }
    outcome.has_crashed = kept && kept->has_crashed;
    take(n, std::move(outcome));
  }
}

}  // namespace detail

// Runs the tasks on at most `threads` threads at a time. What is taken does not depend on the number of threads, nor on
// how many processes have shared the work.
template <class T>
void run_tasks(const Tasks<T>& tasks, int threads, const TakeOutcome<T>& take) {
  if (tasks.board != nullptr)
    detail::run_on_board(tasks, threads, take);
  else
    detail::run_here(tasks, threads, take);
}

// The same with a slot for each of them.
template <class T>
std::vector<TaskOutcome<T>> run_tasks(const Tasks<T>& tasks, int threads) {
  std::vector<TaskOutcome<T>> slots(static_cast<std::size_t>(tasks.list.count));
  run_tasks<T>(tasks, threads,
               [&](int n, TaskOutcome<T> outcome) { slots[static_cast<std::size_t>(n)] = std::move(outcome); });
  return slots;
}

}  // namespace salvo
