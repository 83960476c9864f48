#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runs/dealer.hpp"
#include "runs/team.hpp"

namespace salvo::cluster {

// The processes that MPI has started. Only the main thread calls MPI, in `talk`; everything else is for the thread that
// runs the command, and for those that do its tasks.
class MpiTeam final : public runs::Team {
 public:
  MpiTeam(int rank, int size) : rank_(rank), size_(size), dealer_(size) {}

  bool is_first() const { return rank_ == 0; }
  void begin(const std::string& folder, const std::string& threads) override;
  std::unique_ptr<TaskBoard> share(journal::JournalBoard& own, std::function<bool()> should_stop) override;

  // To the others: what to work on.
  struct Call {
    std::string folder{};
    std::string threads{};
  };
  std::optional<Call> wait_for_call();  // nothing: the first has come to its end
  bool is_ended() const { return is_ended_; }

  // This process has come to its end; `trouble`: and all others shall, too, with this exit code.
  void finish(std::optional<int> trouble = {});

  // Passes messages until all have come to their end. Returns the trouble of this process.
  std::optional<int> talk();

  // Of the board of this process.
  void open_list(const std::vector<int>& left);
  std::optional<int> next_task(const std::function<bool()>& should_stop);
  void finish_task(int task);
  void close_list();

 private:
  enum Tag { call = 1, ask, give, done, left, end };
  struct Message {
    int to = 0;
    Tag tag = end;
    std::vector<char> text{};
    std::vector<int> numbers{};
  };

  void send(const Message& message) const;
  bool receive();
  void take(int from, int tag, const std::vector<int>& numbers, const std::vector<char>& text);
  std::vector<Message> take_outgoing();
  void answer_who_waits(std::vector<Message>& out);
  bool may_leave() const;
  std::optional<int> ask_and_wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& should_stop);

  const int rank_;
  const int size_;
  mutable std::mutex guard_{};  // of all below
  std::condition_variable changed_{};
  std::deque<Message> outgoing_{};
  bool is_finished_ = false;
  std::atomic<bool> is_ended_{false};
  std::optional<int> trouble_{};
  // Of the first process:
  runs::Dealer dealer_;
  std::map<int, int> waiting_{};  // who has asked, and for tasks of which list
  int gone_ = 0;                  // others that have come to their end
  // Of the others:
  std::optional<Call> call_{};
  int list_ = 0;
  bool is_list_over_ = false;
  bool has_asked_ = false;
  std::deque<int> given_{};
  std::vector<int> done_{};  // not told yet
};

}  // namespace salvo::cluster
