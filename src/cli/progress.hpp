#pragma once

#include <chrono>
#include <string>

#include "base/run_context.hpp"

namespace salvo::cli {

// Shows on standard error what a run tells. On a terminal one line that is drawn again and again (an iteration, or a
// bar over starts or replicates); elsewhere plain lines, and those only if they are wanted.
class Progress {
 public:
  enum class Volume { quiet, normal, verbose };
  // `many`: what there are several of ("starts", "replicates"); empty for a single fit.
  Progress(Volume volume, std::string many);

  void show(const Event& event);
  void finish();  // leaves the terminal as it was

 private:
  void on(const IterationDone& event);
  void on(const StartDone& event);
  void on(const Remark& event);
  void redraw(const std::string& line, bool is_last);
  void clear_line();
  void print_row(const IterationDone& event);

  Volume volume_;
  std::string many_;
  bool is_live_;
  bool has_line_ = false;
  bool has_header_ = false;
  int converged_ = 0;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace salvo::cli
