#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/tasks/board.hpp"
#include "base/tasks/reader.hpp"
#include "base/tasks/writer.hpp"

namespace salvo::journal {

// A share of the tasks of every list: part `index` of `of` (from 0), or one task alone, of lists whose names begin with
// `kind`; of others, which come before these, everything is done.
struct WorkShare {
  int index = 0;
  int of = 1;
  std::optional<int> task{};
  std::string kind{};
};

// Keeps what tasks come to in a journal of this process, and finds there and in the journals of others what is finished
// already. Its own share comes first, in the order of the indices; then what nobody has finished, whoever's share it
// is. That a task is done twice is harmless. Once a list was left before all of it was finished, nothing more is given
// out and nothing is kept: what comes after it would rest on half of it.
class JournalBoard final : public TaskBoard {
 public:
  JournalBoard(const std::string& folder, const RunHeader& header, WorkShare share = {});
  // One that gives nothing out, for whoever only looks at what there is.
  static std::unique_ptr<JournalBoard> to_look_at(const std::string& folder, const RunHeader& header);

  int open(const TaskList& list) override;
  std::optional<int> next() override;
  void keep(int task, const std::string& result, double seconds) override;
  std::optional<Kept> kept(int task) override;

  // For whoever gives out tasks in another way: those that are left, and that the calling thread is at this one now, or
  // at none.
  std::vector<int> left();
  void begin(int task);
  void leave();

  // Results were written that hold all that is finished.
  void tell_written();
  // Whether every task of all lists so far is finished or given up.
  bool is_all_done();
  bool is_done(int task);                         // of the list that was opened last
  const TaskList& list() const { return list_; }  // that was opened last
  const Reader& reader() const { return reader_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Looking {};

  JournalBoard(Looking, const std::string& folder, const RunHeader& header);
  bool is_finished(int task) const;
  bool is_left(int task) const;
  bool is_list_done() const;
  void plan_share();
  void plan_rest();
  void refresh();
  void refresh_now_and_then();

  std::mutex guard_{};
  std::string folder_;
  RunHeader header_;
  std::unique_ptr<Writer> writer_;
  Reader reader_;
  WorkShare share_{};
  TaskList list_{};
  bool is_closed_ = false;
  bool is_told_ = false;  // the list, in the journal
  std::deque<int> planned_{};
  bool is_rest_planned_ = false;
  std::set<int> begun_{};  // by this process
  bool has_news_ = false;  // of this process, which were not read yet
  Clock::time_point refreshed_ = Clock::now();
};

}  // namespace salvo::journal
