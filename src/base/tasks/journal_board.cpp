#include "base/tasks/journal_board.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace salvo::journal {
namespace {

constexpr std::chrono::seconds between_refreshes{1};

}  // namespace

JournalBoard::JournalBoard(const std::string& folder, const RunHeader& header, WorkShare share)
    : folder_(folder),
      header_(header),
      writer_(std::make_unique<Writer>(folder, header)),
      reader_(folder, header),
      share_(std::move(share)) {}

JournalBoard::JournalBoard(Looking, const std::string& folder, const RunHeader& header)
    : folder_(folder), header_(header), reader_(folder, header) {}

std::unique_ptr<JournalBoard> JournalBoard::to_look_at(const std::string& folder, const RunHeader& header) {
  return std::unique_ptr<JournalBoard>(new JournalBoard(Looking{}, folder, header));
}

int JournalBoard::open(const TaskList& list) {
  const std::lock_guard lock(guard_);
  refresh();
  is_closed_ = is_closed_ || !is_list_done();
  list_ = list;
  is_told_ = false;
  begun_.clear();
  planned_.clear();
  is_rest_planned_ = is_closed_ || !writer_;
  if (!is_rest_planned_) plan_share();
  return is_closed_ ? 0 : std::min(reader_.count(list.kind), list.count);
}

bool JournalBoard::is_list_done() const {
  for (int n = 0; n < list_.count; ++n)
    if (!is_finished(n)) return false;
  return true;
}

bool JournalBoard::is_finished(int task) const {
  return reader_.has(list_.kind, task) || reader_.crashes(list_.kind, task) >= most_crashes;
}

bool JournalBoard::is_left(int task) const { return !is_finished(task) && !begun_.contains(task); }

// What a process was at for long comes last: it may have died of it, and would again.
void JournalBoard::plan_share() {
  if (share_.task && list_.kind.starts_with(share_.kind)) {
    if (*share_.task < list_.count && is_left(*share_.task)) planned_.push_back(*share_.task);
    is_rest_planned_ = true;
    return;
  }
  const auto first = [&](long part) { return static_cast<int>(part * list_.count / share_.of); };
  for (int n = first(share_.index); n < first(share_.index + 1); ++n)
    if (is_left(n)) planned_.push_back(n);
  std::stable_partition(planned_.begin(), planned_.end(), [&](int n) { return !reader_.was_begun(list_.kind, n); });
}

// Everybody begins elsewhere, so that few do the same.
void JournalBoard::plan_rest() {
  refresh();
  for (int n = 0; n < list_.count; ++n)
    if (is_left(n)) planned_.push_back(n);
  is_rest_planned_ = planned_.empty();
  if (planned_.empty()) return;
  Random random = Random::stream(static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(share_.index));
  const auto begin = static_cast<std::ptrdiff_t>(random.uniform() * static_cast<double>(planned_.size()));
  std::rotate(planned_.begin(), planned_.begin() + begin, planned_.end());
  std::stable_partition(planned_.begin(), planned_.end(), [&](int n) { return !reader_.was_begun(list_.kind, n); });
}

void JournalBoard::refresh() {
  has_news_ = false;
  reader_.refresh();
  refreshed_ = Clock::now();
}

void JournalBoard::refresh_now_and_then() {
  if (Clock::now() - refreshed_ >= between_refreshes) refresh();
}

std::optional<int> JournalBoard::next() {
  const std::lock_guard lock(guard_);
  if (!writer_) return std::nullopt;
  writer_->leave();
  refresh_now_and_then();
  for (;;) {
    while (!planned_.empty() && !is_left(planned_.front())) planned_.pop_front();
    if (!planned_.empty()) break;
    if (is_rest_planned_) return std::nullopt;
    plan_rest();
  }
  const int task = planned_.front();
  planned_.pop_front();
  begun_.insert(task);
  writer_->begin(list_.kind, task);
  return task;
}

std::vector<int> JournalBoard::left() {
  const std::lock_guard lock(guard_);
  std::vector<int> tasks;
  for (int n = 0; !is_closed_ && n < list_.count; ++n)
    if (is_left(n)) tasks.push_back(n);
  std::stable_partition(tasks.begin(), tasks.end(), [&](int n) { return !reader_.was_begun(list_.kind, n); });
  return tasks;
}

void JournalBoard::begin(int task) {
  const std::lock_guard lock(guard_);
  begun_.insert(task);
  writer_->begin(list_.kind, task);
}

void JournalBoard::leave() { writer_->leave(); }

void JournalBoard::keep(int task, const std::string& result, double seconds) {
  if (!writer_ || is_closed_) return;
  const std::lock_guard lock(guard_);
  if (!std::exchange(is_told_, true))
    writer_->append({{"list", list_.kind},
                     {"count", std::to_string(list_.count), true},
                     {"threads", std::to_string(list_.threads), true}});
  writer_->append({{"task", list_.kind},
                   {"index", std::to_string(task), true},
                   {"seconds", fmt::format("{:.6g}", seconds), true},
                   {"value", result}});
  has_news_ = true;
}

std::optional<TaskBoard::Kept> JournalBoard::kept(int task) {
  const std::lock_guard lock(guard_);
  if (is_closed_) return std::nullopt;
  if (has_news_) refresh();
  if (!reader_.has(list_.kind, task) && reader_.crashes(list_.kind, task) >= most_crashes)
    return Kept{.has_crashed = true};
  return reader_.result(list_.kind, task);
}

void JournalBoard::tell_written() {
  const std::lock_guard lock(guard_);
  refresh();
  if (reader_.count_all() <= reader_.written()) return;
  if (!writer_) writer_ = std::make_unique<Writer>(folder_, header_);
  writer_->append({{"written", std::to_string(reader_.count_all()), true}});
  writer_->sync();
}

bool JournalBoard::is_done(int task) {
  const std::lock_guard lock(guard_);
  refresh();
  return !is_closed_ && is_finished(task);
}

bool JournalBoard::is_all_done() {
  const std::lock_guard lock(guard_);
  refresh();
  return !is_closed_ && is_list_done();
}

}  // namespace salvo::journal
