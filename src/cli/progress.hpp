#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/run_context.hpp"
#include "cli/progress_line.hpp"

namespace salvo::cli {

// Shows on standard error what a run tells. On a terminal one line that is drawn again and again (an iteration, or a
// bar over starts or replicates), as wide as the terminal is at that moment; elsewhere, in a log, a plain line now and
// then, or every one if they are wanted.
class Progress {
 public:
  enum class Volume { quiet, normal, verbose };
  // `many`: what there are several of ("starts", "replicates"); empty for a single fit. `max_seconds`: when it ends.
  Progress(Volume volume, std::string many, std::optional<double> max_seconds = {});

  bool is_verbose() const { return volume_ == Volume::verbose; }
  void show(const Event& event);
  void finish();  // leaves the terminal as it was

 private:
  using Clock = std::chrono::steady_clock;

  void on(const IterationDone& event);
  void on(const StartDone& event);
  void on(const Remark& event);
  void redraw(const std::string& line, bool is_last);
  bool is_time_to_log() const { return seconds() - logged_ >= log_pause_; }
  void log(const std::string& line);
  void clear_line();
  void print_row(const IterationDone& event);
  Elapsed elapsed() const { return {.seconds = seconds(), .allowed = max_seconds_}; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  Volume volume_;
  std::string many_;
  std::optional<double> max_seconds_;
  bool is_live_;
  bool has_line_ = false;
  bool has_header_ = false;
  int converged_ = 0;
  double first_gap_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point drawn_{};
  double logged_ = 0;      // seconds after the beginning
  double log_pause_ = 10;  // the first line of a log comes after so many seconds, the next ones more and more slowly
};

}  // namespace salvo::cli
