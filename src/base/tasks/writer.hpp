#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/tasks/header.hpp"

namespace salvo::journal {

// The journal of this process in the folder of a run: journal.HOST.PID.jsonl, which nobody else writes. A line is one
// write, so that a killed process leaves whole lines and at most one that is torn; every second, what was written is
// brought to the disk. The file is locked as long as the process lives, where the file system knows locks. One that
// holds nothing but its header is taken away at the end.
class Writer {
 public:
  // Throws std::runtime_error if the disk refuses, as everything here does.
  Writer(const std::string& folder, const RunHeader& header);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void append(const Line& line);
  void sync();
  const std::string& path() const { return path_; }

  // The calling thread is at this task; should it crash, the last line says so.
  void begin(std::string_view kind, int task);
  void leave();

 private:
  void look_every_second();
  void append_locked(const Line& line);
  std::string try_to_sync();
  void tell_what_takes_long();

  std::string path_;
  int file_ = -1;
  std::mutex guard_{};  // of all below
  std::condition_variable over_{};
  bool is_over_ = false;
  bool has_news_ = false;  // that are not on the disk
  int lines_ = 0;
  std::string trouble_{};  // of the disk, once there is any
  struct AtWork {
    std::string kind{};
    int task = 0;
    int looks = 0;  // of the clock since it began
  };
  std::map<std::thread::id, AtWork> at_work_{};
  std::jthread clock_{};
};

}  // namespace salvo::journal
