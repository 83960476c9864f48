#include "cluster/mpi_team.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>

#include "base/bytes.hpp"
#include "base/stop_flag.hpp"

namespace salvo::cluster {
namespace {

using namespace std::chrono_literals;

// A message of so many numbers is sent at once, whoever listens: two processes never wait for each other.
constexpr std::size_t longest_message = 500;
// Texts may have any length, and are under way while this process does something else.
constexpr std::size_t longest_piece = std::size_t{1} << 24;
constexpr auto shortest_nap = 50us;
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

// A part of a text that is on its way.
struct MpiTeam::SendingText {
  std::shared_ptr<const std::string> text{};
  MPI_Request request = MPI_REQUEST_NULL;
};

MpiTeam::MpiTeam(int rank, int size)
    : rank_(rank), size_(size), under_way_(std::make_unique<std::vector<SendingText>>()), dealer_(size) {}

MpiTeam::~MpiTeam() = default;

void MpiTeam::begin(const Call& called) {
  std::error_code error;
  ByteWriter bytes;
  bytes(std::filesystem::absolute(called.folder, error).string(), called.threads, called.run);
  const auto text = std::make_shared<const std::string>(bytes.finish());
  const std::lock_guard lock(guard_);
  for (int rank = 1; rank < size_; ++rank) outgoing_.push_back({rank, call, text});
  changed_.notify_all();
}

std::unique_ptr<TaskBoard> MpiTeam::share(journal::JournalBoard& own, std::function<bool()> should_stop) {
  return std::make_unique<MpiBoard>(*this, own, std::move(should_stop));
}

// --- single evaluations
// ------------------------------------------------------------------------------------------------

// False: others are at another question still, or there are none.
bool MpiTeam::send_question(const std::string& asked) {
  const std::lock_guard lock(guard_);
  if (is_asking_ || owed_ > 0 || size_ == 1) return false;
  is_asking_ = true;
  answers_.assign(size_ - 1, {});
  owed_ = size_ - 1;
  const auto text = std::make_shared<const std::string>(asked);
  for (int rank = 1; rank < size_; ++rank) outgoing_.push_back({rank, question, text});
  changed_.notify_all();
  return true;
}

std::optional<std::vector<std::string>> MpiTeam::ask(const std::string& asked, const std::function<void()>& own,
                                                     const StopFlag* stop) {
  const bool is_sent = send_question(asked);
  own();
  if (!is_sent) return std::nullopt;
  std::unique_lock lock(guard_);
  while (owed_ > 0 && !is_raised(stop)) changed_.wait_for(lock, look_again);
  is_asking_ = false;
  if (owed_ > 0) return std::nullopt;
  return std::move(answers_);
}

void MpiTeam::help(const AnswerForPart& answer) {
  std::unique_lock lock(guard_);
  is_helping_ = true;
  for (;;) {
    changed_.wait(lock, [this] { return question_ || is_ended_; });
    if (is_ended_) return;
    lock.unlock();
    std::string text = answer(*question_, rank_, size_);
    lock.lock();
    question_.reset();
    answered_ = std::chrono::steady_clock::now();
    outgoing_.push_back({0, reply, std::make_shared<const std::string>(std::move(text))});
    changed_.notify_all();
  }
}

// --- tasks
// -------------------------------------------------------------------------------------------------------------

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
      outgoing_.push_back({0, ask_for_tasks, {}, {list_}});
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
    const bool sends = is_sending();
    std::unique_lock lock(guard_);
    if (trouble_ || (may_leave() && !sends)) return trouble_;
    if (outgoing_.empty() && done_.empty()) changed_.wait_for(lock, sends ? shortest_nap : nap());
  }
}

// Who has just answered is asked again soon, and the sooner the shorter the questions are.
std::chrono::microseconds MpiTeam::nap() const {
  if (!pieces_.empty()) return shortest_nap;
  if (rank_ == 0) return owed_ > 0 ? short_nap : nap_of_first;
  if (!is_helping_ || question_) return has_asked_ && !is_list_over_ ? short_nap : long_nap;
  const auto waited =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - answered_);
  return std::clamp<std::chrono::microseconds>(waited / 20, shortest_nap, long_nap);
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
  if (message.text) return send_text(message);
  MPI_Send(message.numbers.data(), static_cast<int>(message.numbers.size()), MPI_INT, message.to, message.tag,
           MPI_COMM_WORLD);
}

void MpiTeam::send_text(const Message& message) const {
  std::string_view rest = *message.text;
  for (bool is_last = false; !is_last;) {
    const std::string_view now = rest.substr(0, longest_piece);
    rest.remove_prefix(now.size());
    is_last = rest.empty();
    SendingText& sending = under_way_->emplace_back(SendingText{message.text, {}});
    MPI_Isend(now.data(), static_cast<int>(now.size()), MPI_CHAR, message.to, is_last ? message.tag : piece,
              MPI_COMM_WORLD, &sending.request);
  }
}

bool MpiTeam::is_sending() {
  std::erase_if(*under_way_, [](SendingText& sending) {
    int is_done = 0;
    MPI_Test(&sending.request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
  return !under_way_->empty();
}

bool MpiTeam::receive() {
  MPI_Status status;
  int is_there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
  if (is_there == 0) return false;
  const auto [from, tag] = std::pair(status.MPI_SOURCE, status.MPI_TAG);
  const auto take_into = [&](auto content, MPI_Datatype type) {
    int size = 0;
    MPI_Get_count(&status, type, &size);
    content.resize(static_cast<std::size_t>(size));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(content.data(), size, type, from, tag, MPI_COMM_WORLD, &request);
    for (int is_done = 0; MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), is_done == 0;)
      std::this_thread::sleep_for(shortest_nap);
    return content;
  };
  if (tag >= first_of_text)
    take_text(from, tag, take_into(std::string(), MPI_CHAR));
  else
    take_numbers(from, tag, take_into(std::vector<int>(), MPI_INT));
  return true;
}

void MpiTeam::take_numbers(int from, int tag, const std::vector<int>& numbers) {
  const std::lock_guard lock(guard_);
  if (tag == ask_for_tasks) {
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

void MpiTeam::take_text(int from, int tag, std::string text) {
  const std::lock_guard lock(guard_);
  if (const auto begun = pieces_.find(from); begun != pieces_.end()) {
    text = std::move(begun->second += text);
    pieces_.erase(begun);
  }
  if (tag == piece) {
    pieces_[from] = std::move(text);
  } else if (tag == call) {
    ByteReader bytes(text);
    Call called;
    bytes(called.folder, called.threads, called.run);
    call_ = std::move(called);
  } else if (tag == question) {
    question_ = std::move(text);
  } else {
    answers_[from - 1] = std::move(text);
    --owed_;
  }
  changed_.notify_all();
}

}  // namespace salvo::cluster
