#include "base/tasks/writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "base/machine.hpp"
#include "base/tasks/crash.hpp"
#include "base/tasks/files.hpp"

namespace salvo::journal {
namespace {

constexpr std::chrono::seconds between_syncs{1};
constexpr int looks_of_long_tasks = 2;  // of the clock, after which others are told of a task

// A new file: another process of this number may have been here before.
int make_journal(const std::string& folder, std::string& path) {
  constexpr int most = 1000;
  int file = -1;
  for (int n = 1; file < 0 && n <= most; ++n) {
    const std::string again = n == 1 ? "" : fmt::format(".{}", n);
    path = fmt::format("{}/journal.{}.{}{}.jsonl", folder, host_name(), getpid(), again);
    file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  return file;
}

constexpr const char* removed = "the file was removed";

std::runtime_error refusal_of_disk(const std::string& path, const std::string& reason, int lines) {
  const bool is_kept = lines > 1 && reason != removed;
  return std::runtime_error(
      fmt::format("cannot write '{}': {}{}", path, reason, is_kept ? "; what was finished before is kept there" : ""));
}

bool is_still_at(int file, const std::string& path) {
  struct stat own {};
  struct stat there {};
  return fstat(file, &own) == 0 && lstat(path.c_str(), &there) == 0 && own.st_dev == there.st_dev &&
         own.st_ino == there.st_ino;
}

}  // namespace

Writer::Writer(const std::string& folder, const RunHeader& header) : file_(make_journal(folder, path_)) {
  if (file_ < 0) throw std::runtime_error(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
  flock(file_, LOCK_EX | LOCK_NB);  // where that cannot be, nobody asks for it
  try {
    append(header.line());
    sync();
  } catch (...) {
    ::unlink(path_.c_str());
    ::close(file_);
    throw;
  }
  record_crashes_in(file_);
  clock_ = std::jthread([this] { look_every_second(); });
}

Writer::~Writer() {
  {
    const std::lock_guard lock(guard_);
    is_over_ = true;
  }
  over_.notify_all();
  if (clock_.joinable()) clock_.join();
  record_crashes_no_more(file_);
  if (has_news_) try_to_sync();
  if (lines_ <= 1 && is_still_at(file_, path_)) ::unlink(path_.c_str());
  ::close(file_);
}

void Writer::append(const Line& line) {
  const std::lock_guard lock(guard_);
  append_locked(line);
}

void Writer::append_locked(const Line& line) {
  if (trouble_.empty() && !append_whole(file_, text_of(line))) trouble_ = std::strerror(errno);
  if (!trouble_.empty()) throw refusal_of_disk(path_, trouble_, lines_);
  has_news_ = true;
  ++lines_;
}

void Writer::sync() {
  const std::lock_guard lock(guard_);
  if (trouble_.empty() && has_news_) trouble_ = try_to_sync();
  if (!trouble_.empty()) throw refusal_of_disk(path_, trouble_, lines_);
}

std::string Writer::try_to_sync() {
  has_news_ = false;
  return fdatasync(file_) == 0 || errno == EINVAL ? "" : std::strerror(errno);
}

void Writer::begin(std::string_view kind, int task) {
  at_task(kind, task);
  const std::lock_guard lock(guard_);
  at_work_[std::this_thread::get_id()] = {std::string(kind), task};
}

void Writer::leave() {
  at_task({}, -1);
  const std::lock_guard lock(guard_);
  at_work_.erase(std::this_thread::get_id());
}

// Others prefer what nobody is at, and whoever takes the run up leaves what may have killed it for the end.
void Writer::tell_what_takes_long() {
  for (auto& [thread, at] : at_work_)
    if (++at.looks == looks_of_long_tasks) append_locked({{"at", at.kind}, {"index", std::to_string(at.task), true}});
}

void Writer::look_every_second() {
  std::unique_lock lock(guard_);
  while (!over_.wait_for(lock, between_syncs, [this] { return is_over_; })) {
    if (trouble_.empty() && !is_still_at(file_, path_)) trouble_ = removed;
    if (!trouble_.empty()) continue;  // the next line tells it
    try {
      tell_what_takes_long();
    } catch (const std::runtime_error&) {
      continue;
    }
    if (!has_news_) continue;
    has_news_ = false;
    lock.unlock();  // others go on writing meanwhile
    const bool is_synced = fdatasync(file_) == 0 || errno == EINVAL;
    const std::string reason = is_synced ? "" : std::strerror(errno);
    lock.lock();
    if (trouble_.empty()) trouble_ = reason;
  }
}

}  // namespace salvo::journal
