#pragma once

#include <optional>
#include <string>
#include <vector>

namespace salvo::report {

// How far a run has come that several processes may share.
struct RunStatus {
  struct List {          // of its tasks
    std::string kind{};  // start, replicate, side.0, ...
    int done = 0;
    int of = 0;
    int given_up = 0;    // since they crashed again and again
    double seconds = 0;  // that the finished ones have taken, in all
  };
  std::string folder{};
  std::string command{};       // fit, study or profile
  std::string command_line{};  // for a shell
  std::vector<List> lists{};
  int processes = 0;                     // that are at work
  int threads = 0;                       // of all of them
  bool is_written = false;               // all that is finished is in the results
  std::optional<double> seconds_left{};  // of the list that was begun last; nothing: nobody is at work, or none is done

  bool is_done() const;  // all lists that are known
};

std::string run_status_json(const RunStatus& status);
std::string run_status_summary(const RunStatus& status);

}  // namespace salvo::report
