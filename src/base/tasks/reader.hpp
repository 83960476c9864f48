#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/tasks/board.hpp"
#include "base/tasks/header.hpp"

namespace salvo::journal {

inline constexpr int most_crashes = 3;  // of a process at one task, before nobody tries it any more

// All journals in the folder of a run together: which tasks are finished, and what they came to. Only where the lines
// stand is remembered, 16 bytes a task, so that a million of them need little memory. Everything throws
// std::runtime_error where two results of one task differ: one of the machines computes otherwise.
class Reader {
 public:
  // Journals with another header are left alone.
  Reader(std::string folder, RunHeader header);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void refresh();  // reads what was added since

  bool has(const std::string& kind, int task) const;
  int count(const std::string& kind) const;
  std::optional<TaskBoard::Kept> result(const std::string& kind, int task);
  // Its process crashed at it so often.
  int crashes(const std::string& kind, int task) const;
  // A process was at it for long, whether it still is or not.
  bool was_begun(const std::string& kind, int task) const;
  // Lists that somebody has finished a task of, in the order in which they are worked on.
  struct ListFound {
    std::string kind{};
    int count = 0;  // of its tasks
    int done = 0;
    int given_up = 0;    // since they crashed so often
    double seconds = 0;  // that the finished ones have taken
  };
  std::vector<ListFound> lists() const;
  int threads(const std::string& file) const;  // that write this journal; 0: nothing is finished there yet
  // Results of the run were written with so many finished tasks, of all kinds.
  long written() const { return written_; }
  long count_all() const;

  struct Stranger {
    std::string file{};
    RunHeader header{};
  };
  const std::vector<Stranger>& strangers() const { return strangers_; }
  int damaged() const { return damaged_; }                          // lines
  const std::vector<std::string>& files() const { return names_; }  // of this run

 private:
  struct File {
    std::string name{};
    std::int64_t read = 0;  // bytes
    bool is_known = false;  // its header was read ...
    bool is_ours = false;   // ... and is that of this run
    int threads = 0;
  };
  struct Place {
    std::int32_t file = -1;
    std::int64_t at = 0;
  };
  struct Tasks {
    std::vector<Place> places{};
    int count = 0;
    int planned = 0;  // as the lists in journals say
    int place = 0;    // among the lists, in the order of the first journal
    double seconds = 0;
    std::map<int, int> crashes{};
    std::set<int> begun{};
  };

  void read_on(std::size_t file);
  void take(std::size_t file, std::int64_t at, std::string_view text);
  void take_list(File& file, const Line& line);
  void take_task(std::size_t file, std::int64_t at, const Line& line);
  void take_header(File& file, const std::optional<Line>& line);
  std::optional<Line> line_at(const Place& place);
  bool fill(const Place& place);
  const Tasks* tasks(const std::string& kind) const;

  std::string folder_;
  RunHeader header_;
  std::vector<File> files_{};
  std::vector<std::string> names_{};
  std::map<std::string, Tasks, std::less<>> tasks_{};
  std::vector<Stranger> strangers_{};
  int damaged_ = 0;
  long written_ = 0;
  // What was read last, since neighbours are asked for together.
  int open_ = -1;
  std::int32_t open_file_ = -1;
  std::int64_t piece_at_ = 0;
  std::string piece_{};
};

}  // namespace salvo::journal
