#pragma once

#include <algorithm>
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

// The fits of a campaign, which keeps a journal beside its program until all of it is finished: one that was cut off
// goes on where it was. Another program, or other words, begin anew.
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
  }

  // each(0) ... each(count - 1), on two threads; no two lists of a campaign have the same name.
  template <class T>
  std::vector<T> run(const std::string& list, int count, const std::function<T(int)>& each) {
    std::vector<T> out;
    for (TaskOutcome<T>& done : run_tasks(Tasks<T>{.list = {list, count}, .run = each, .board = board_.get()}, threads))
      out.push_back(done.result ? std::move(*done.result) : T{});
    return out;
  }

  // All is told.
  void finish() {
    board_.reset();
    std::filesystem::remove_all(folder_);
  }

 private:
  static constexpr int threads = 2;

  std::string folder_;
  std::unique_ptr<journal::JournalBoard> board_;
};

}  // namespace salvo::bench
