#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "base/tasks.hpp"
#include "base/tasks/journal_board.hpp"

namespace salvo::bench {

// That somebody, or a scheduler whose time is over, wants the program to end. A handler can reach nothing but globals.
inline std::atomic<bool> is_asked_to_stop{false};

// The fits of a campaign, which keeps a journal beside its program until all of it is finished: one that was cut off
// goes on where it was. Another program, or other words, begin anew. Told to stop by a signal, it finishes the fits
// that it is at, and ends with exit code 75: come again.
class Campaign {
 public:
  Campaign(int argc, char** argv) : folder_(std::string(argv[0]) + ".run") {
    std::ifstream program(argv[0], std::ios::binary);
    journal::RunHeader header;
    header.add("program", sha256(std::string(std::istreambuf_iterator<char>(program), {})));
    for (int n = 1; n < argc; ++n) header.add("word " + std::to_string(n), argv[n]);
    std::filesystem::create_directories(folder_);
    for (const auto& stranger : journal::Reader(folder_, header).strangers())
      std::filesystem::remove(std::filesystem::path(folder_) / stranger.file);
    board_ = std::make_unique<journal::JournalBoard>(folder_, header);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGXCPU})
      std::signal(signal, [](int) { is_asked_to_stop = true; });
  }

  // each(0) ... each(count - 1), on two threads; no two lists of a campaign have the same name.
  template <class T>
  std::vector<T> run(const std::string& list, int count, const std::function<T(int)>& each) {
    std::vector<T> out;
    const Tasks<T> tasks{.list = {list, count},
                         .run = each,
                         .watch = {.may_begin = [] { return !is_asked_to_stop; }},
                         .board = board_.get()};
    for (TaskOutcome<T>& done : run_tasks(tasks, threads)) out.push_back(done.result ? std::move(*done.result) : T{});
    if (is_asked_to_stop && !board_->is_all_done()) come_again();
    return out;
  }

  // All is told.
  void finish() {
    board_.reset();
    std::filesystem::remove_all(folder_);
  }

 private:
  static constexpr int threads = 2;

  [[noreturn]] void come_again() {
    board_.reset();  // whose journal is whole then
    std::exit(75);
  }

  std::string folder_;
  std::unique_ptr<journal::JournalBoard> board_;
};

}  // namespace salvo::bench
