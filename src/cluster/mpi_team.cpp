#include "cluster/mpi_team.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

namespace salvo::cluster {
namespace {

using namespace std::chrono_literals;

// A message of so many numbers is sent at once, whoever listens: two processes never wait for each other.
constexpr std::size_t longest_message = 500;
constexpr auto short_nap = 200us;  // of one who waits for an answer
constexpr auto nap_of_first = 1ms;
constexpr auto long_nap = 5ms;
constexpr auto look_again = 50ms;  // whether it is time to stop

// Tasks from the first process, results into the journal of this one.
class MpiBoard final : public TaskBoard {
 public:
  MpiBoard(MpiTeam& team, journal::JournalBoard& own, std::function<bool()> should_stop)
      : team_(team), own_(own), should_stop_(std::move(should_stop)) {}

  int open(const TaskList& list) override {
    const int finished = own_.open(list);
    is_read_ = false;
    team_.open_list(own_.left());
    return finished;
  }
  std::optional<int> next() override {
    own_.leave();
    const std::optional<int> task = team_.next_task(should_stop_);
    if (task) own_.begin(*task);
    return task;
  }
  void keep(int task, const std::string& result, double seconds) override {
    own_.keep(task, result, seconds);
    team_.finish_task(task);
  }
  std::optional<Kept> kept(int task) override {
    if (!std::exchange(is_read_, true)) {
      team_.close_list();
      wait_for_lines();
    }
    return own_.kept(task);
  }

 private:
  // File systems of clusters show what others have written after a while.
  void wait_for_lines() const {
    constexpr int most = 600;
    for (int n = 0; n < most && !should_stop_() && !own_.is_all_done(); ++n) std::this_thread::sleep_for(look_again);
  }

  MpiTeam& team_;
  journal::JournalBoard& own_;
  std::function<bool()> should_stop_;
  bool is_read_ = false;
};

}  // namespace

void MpiTeam::begin(const std::string& folder, const std::string& threads) {
  std::error_code error;
  const std::string place = std::filesystem::absolute(folder, error).string() + '\0' + threads;
  const std::lock_guard lock(guard_);
  for (int rank = 1; rank < size_; ++rank) outgoing_.push_back({rank, call, {place.begin(), place.end()}});
  changed_.notify_all();
}

std::unique_ptr<TaskBoard> MpiTeam::share(journal::JournalBoard& own, std::function<bool()> should_stop) {
  return std::make_unique<MpiBoard>(*this, own, std::move(should_stop));
}

std::optional<MpiTeam::Call> MpiTeam::wait_for_call() {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [this] { return call_ || is_ended_; });
  return call_;
}

void MpiTeam::finish(std::optional<int> trouble) {
  const std::lock_guard lock(guard_);
  is_finished_ = true;
  trouble_ = trouble;
  if (rank_ > 0) outgoing_.push_back({0, left});
  for (int rank = 1; rank_ == 0 && rank < size_; ++rank) outgoing_.push_back({rank, end});
  changed_.notify_all();
}

void MpiTeam::open_list(const std::vector<int>& left_tasks) {
  const std::lock_guard lock(guard_);
  if (rank_ == 0) dealer_.open(left_tasks);
  ++list_;
  is_list_over_ = false;
  has_asked_ = false;
  given_.clear();
  changed_.notify_all();
}

std::optional<int> MpiTeam::next_task(const std::function<bool()>& should_stop) {
  std::unique_lock lock(guard_);
  if (rank_ > 0) return ask_and_wait(lock, should_stop);
  for (;;) {
    const runs::Dealer::Deal deal = dealer_.deal(0, dealer_.list(), 1);
    if (!deal.tasks.empty()) return deal.tasks.front();
    if (deal.is_over || should_stop()) return std::nullopt;
    changed_.wait_for(lock, look_again);
  }
}

std::optional<int> MpiTeam::ask_and_wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& should_stop) {
  while (given_.empty()) {
    if (is_list_over_ || is_ended_ || should_stop()) return std::nullopt;
    if (!std::exchange(has_asked_, true)) {
      outgoing_.push_back({0, ask, {}, {list_}});
      changed_.notify_all();
    }
    changed_.wait_for(lock, look_again);
  }
  const int task = given_.front();
  given_.pop_front();
  return task;
}

void MpiTeam::finish_task(int task) {
  const std::lock_guard lock(guard_);
  if (rank_ == 0)
    dealer_.finished(0, task);
  else
    done_.push_back(task);
  changed_.notify_all();
}

void MpiTeam::close_list() {
  const std::lock_guard lock(guard_);
  if (rank_ == 0) dealer_.close();
  changed_.notify_all();
}

bool MpiTeam::may_leave() const {
  return is_finished_ && outgoing_.empty() && (rank_ == 0 ? gone_ == size_ - 1 : is_ended());
}

std::optional<int> MpiTeam::talk() {
  for (;;) {
    while (receive()) {
    }
    for (const Message& message : take_outgoing()) send(message);
    std::unique_lock lock(guard_);
    if (trouble_ || may_leave()) return trouble_;
    if (!outgoing_.empty() || !done_.empty()) continue;
    const std::chrono::microseconds nap_of_others = has_asked_ && !is_list_over_ ? short_nap : long_nap;
    changed_.wait_for(lock, rank_ == 0 ? nap_of_first : nap_of_others);
  }
}

std::vector<MpiTeam::Message> MpiTeam::take_outgoing() {
  const std::lock_guard lock(guard_);
  std::vector<Message> out;
  for (std::size_t begin = 0; begin < done_.size(); begin += longest_message) {
    const std::size_t stop = std::min(done_.size(), begin + longest_message);
    out.push_back({0, done, {}, {done_.begin() + static_cast<long>(begin), done_.begin() + static_cast<long>(stop)}});
  }
  done_.clear();
  out.insert(out.end(), std::make_move_iterator(outgoing_.begin()), std::make_move_iterator(outgoing_.end()));
  outgoing_.clear();
  answer_who_waits(out);
  return out;
}

void MpiTeam::answer_who_waits(std::vector<Message>& out) {
  for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
    const auto [member, list] = *waiting;
    const runs::Dealer::Deal deal = dealer_.deal(member, list, longest_message - 2);
    if (deal.tasks.empty() && !deal.is_over) {
      ++waiting;
      continue;
    }
    Message& answer = out.emplace_back(Message{member, give, {}, {list, deal.is_over ? 1 : 0}});
    answer.numbers.insert(answer.numbers.end(), deal.tasks.begin(), deal.tasks.end());
    waiting = waiting_.erase(waiting);
  }
}

void MpiTeam::send(const Message& message) const {
  const auto count = [](const auto& content) { return static_cast<int>(content.size()); };
  if (message.tag == call)
    MPI_Send(message.text.data(), count(message.text), MPI_CHAR, message.to, message.tag, MPI_COMM_WORLD);
  else
    MPI_Send(message.numbers.data(), count(message.numbers), MPI_INT, message.to, message.tag, MPI_COMM_WORLD);
}

bool MpiTeam::receive() {
  MPI_Status status;
  int is_there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
  if (is_there == 0) return false;
  const bool is_text = status.MPI_TAG == call;
  int count = 0;
  MPI_Get_count(&status, is_text ? MPI_CHAR : MPI_INT, &count);
  std::vector<char> text(is_text ? static_cast<std::size_t>(count) : 0);
  std::vector<int> numbers(is_text ? 0 : static_cast<std::size_t>(count));
  void* const content = is_text ? static_cast<void*>(text.data()) : static_cast<void*>(numbers.data());
  MPI_Recv(content, count, is_text ? MPI_CHAR : MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  take(status.MPI_SOURCE, status.MPI_TAG, numbers, text);
  return true;
}

void MpiTeam::take(int from, int tag, const std::vector<int>& numbers, const std::vector<char>& text) {
  const std::lock_guard lock(guard_);
  if (tag == call) {
    const std::string place(text.begin(), text.end());
    call_ = Call{place.substr(0, place.find('\0')), place.substr(place.find('\0') + 1)};
  } else if (tag == ask) {
    waiting_[from] = numbers.front();
  } else if (tag == done) {
    for (const int task : numbers) dealer_.finished(from, task);
  } else if (tag == left) {
    waiting_.erase(from);
    dealer_.leave(from);
    ++gone_;
  } else if (tag == end) {
    is_ended_ = true;
  } else if (tag == give && numbers.front() == list_) {
    has_asked_ = false;
    is_list_over_ = numbers[1] != 0;
    given_.insert(given_.end(), numbers.begin() + 2, numbers.end());
  }
  changed_.notify_all();
}

}  // namespace salvo::cluster
