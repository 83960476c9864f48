#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/helpers.hpp"
#include "runs/dealer.hpp"
#include "runs/team.hpp"

namespace salvo::cluster {

// The processes that MPI has started. Only the main thread calls MPI, in `talk`; everything else is for the thread that
// runs the command, and for those that do its tasks.
class MpiTeam final : public runs::Team, private Helpers {
 public:
  MpiTeam(int rank, int size);
  ~MpiTeam() override;

  bool is_first() const { return rank_ == 0; }
  void begin(const Call& call) override;
  std::unique_ptr<TaskBoard> share(journal::JournalBoard& own, std::function<bool()> should_stop) override;
  Helpers& helpers() override { return *this; }
  void help(const AnswerForPart& answer) override;

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
  enum Tag { ask_for_tasks = 1, give, done, left, end, first_of_text, call = first_of_text, question, reply, piece };
  struct Message {
    int to = 0;
    Tag tag = end;
    std::shared_ptr<const std::string> text{};
    std::vector<int> numbers{};
  };

  int count() const override { return size_ - 1; }
  std::optional<std::vector<std::string>> ask(const std::string& asked, const std::function<void()>& own,
                                              const StopFlag* stop) override;
  bool send_question(const std::string& asked);
  void send(const Message& message) const;
  void send_text(const Message& message) const;
  bool is_sending();
  std::chrono::microseconds nap() const;
  bool receive();
  void take_numbers(int from, int tag, const std::vector<int>& numbers);
  void take_text(int from, int tag, std::string text);
  std::vector<Message> take_outgoing();
  void answer_who_waits(std::vector<Message>& out);
  bool may_leave() const;
  std::optional<int> ask_and_wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& should_stop);

  const int rank_;
  const int size_;
  struct SendingText;
  const std::unique_ptr<std::vector<SendingText>> under_way_;  // of the main thread alone
  mutable std::mutex guard_{};                                 // of all below
  std::condition_variable changed_{};
  std::deque<Message> outgoing_{};
  bool is_finished_ = false;
  std::atomic<bool> is_ended_{false};
  std::optional<int> trouble_{};
  // Of the first process:
  runs::Dealer dealer_;
  std::map<int, int> waiting_{};  // who has asked, and for tasks of which list
  int gone_ = 0;                  // others that have come to their end
  bool is_asking_ = false;
  std::vector<std::string> answers_{};  // of each of the others
  int owed_ = 0;                        // of them, also when nobody waits for them any more
  // Of the others:
  std::optional<Call> call_{};
  int list_ = 0;
  bool is_list_over_ = false;
  bool has_asked_ = false;
  std::deque<int> given_{};
  std::vector<int> done_{};  // not told yet
  bool is_helping_ = false;
  std::optional<std::string> question_{};
  std::chrono::steady_clock::time_point answered_{};  // the last one
  // Of a longer text, by whom it comes from.
  std::map<int, std::string> pieces_{};
};

}  // namespace salvo::cluster
