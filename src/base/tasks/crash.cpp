#include "base/tasks/crash.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>

#include "base/crc32.hpp"

namespace salvo::journal {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> crash_file{-1};
struct ThreadsTask {
  std::array<char, 64> kind{};
  std::atomic<int> task{-1};
};
thread_local ThreadsTask threads_task;

// Text of a fixed length, made without memory or locks.
class PlainText {
 public:
  void add(std::string_view piece) {
    const std::size_t count = std::min(piece.size(), text_.size() - size_);
    std::copy_n(piece.begin(), count, text_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += count;
  }
  void add(int number) {
    std::array<char, 16> digits{};
    add({digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr});
  }
  void add_sum() {
    const std::uint32_t sum = crc32(view());
    add(",\"crc\":\"");
    for (int shift = 28; shift >= 0; shift -= 4)
      add(std::string_view("0123456789abcdef").substr((sum >> shift) & 15U, 1));
    add("\"}\n");
  }
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 256> text_{};
  std::size_t size_ = 0;
};

void tell_crash(int signal) {
  const int file = crash_file;
  const int task = threads_task.task;
  if (file >= 0 && task >= 0) {
    PlainText line;
    line.add("{\"crash\":\"");
    line.add(threads_task.kind.data());
    line.add("\",\"index\":");
    line.add(task);
    line.add(",\"signal\":");
    line.add(signal);
    line.add_sum();
    [[maybe_unused]] const ssize_t written = ::write(file, line.view().data(), line.view().size());
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

}  // namespace

void record_crashes_in(int file) {
  crash_file = file;
  struct sigaction action {};
  action.sa_handler = tell_crash;
  for (const int signal : crashes) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);  // sanitizers have handlers of their own
  }
}

void record_crashes_no_more(int file) {
  int expected = file;
  crash_file.compare_exchange_strong(expected, -1);
}

void at_task(std::string_view kind, int task) {
  threads_task.task = -1;
  threads_task.kind.fill('\0');
  std::copy_n(kind.begin(), std::min(kind.size(), threads_task.kind.size() - 1), threads_task.kind.begin());
  threads_task.task = task;
}

}  // namespace salvo::journal
