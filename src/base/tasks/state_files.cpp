#include "base/tasks/state_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/tasks/files.hpp"

namespace salvo::journal {
namespace {

constexpr std::chrono::seconds least_pause{1};
constexpr int most_of_the_time = 50;  // to keep states takes a fiftieth of the time at most

std::string path_of_state(const std::string& folder, long which) {
  return fmt::format("{}/state.{}.jsonl", folder, which);
}

// A file of two lines, the header and the state.
struct KeptState {
  RunHeader header{};
  long count = 0;
  std::string text{};
};

std::optional<KeptState> read_state(const std::string& path) {
  const int file = open_plain(path);
  if (file < 0) return std::nullopt;
  std::string text, piece(1 << 16, '\0');
  for (ssize_t got = 0; (got = ::read(file, piece.data(), piece.size())) > 0;)
    text.append(piece, 0, static_cast<std::size_t>(got));
  ::close(file);
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::optional<Line> first = line_of(std::string_view(text).substr(0, end));
  const std::optional<Line> second = line_of(std::string_view(text).substr(std::min(end, text.size())));
  const std::optional<RunHeader> header = first ? RunHeader::from(*first) : std::nullopt;
  if (!header || !second || number_of(*second, "state") < 0) return std::nullopt;
  return KeptState{*header, number_of(*second, "state"), std::string(value_of(*second, "value"))};
}

// The newer of the two.
std::optional<KeptState> newest_state(const std::string& folder) {
  std::optional<KeptState> newest;
  for (const long which : {1, 2})
    if (auto state = read_state(path_of_state(folder, which)); state && (!newest || state->count > newest->count))
      newest = std::move(state);
  return newest;
}

// Empty, or why it could not be done.
std::string write_state(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".new";
  ::unlink(unfinished.c_str());
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return std::strerror(errno);
  bool is_done = append_whole(file, text) && (fdatasync(file) == 0 || errno == EINVAL);
  is_done = ::close(file) == 0 && is_done;
  is_done = is_done && std::rename(unfinished.c_str(), path.c_str()) == 0;
  const std::string reason = is_done ? "" : std::strerror(errno);
  if (!is_done) ::unlink(unfinished.c_str());
  return reason;
}

}  // namespace

StateFiles::StateFiles(std::string folder, RunHeader header)
    : folder_(std::move(folder)), header_(std::move(header)), next_(Clock::now() + least_pause) {}

bool StateFiles::is_due() { return Clock::now() >= next_; }

void StateFiles::keep(const std::string& state) {
  const Clock::time_point begin = Clock::now();
  const Line line{{"state", std::to_string(++count_), true}, {"value", state}};
  std::error_code error;  // without the folder nothing can be written, and that is told
  std::filesystem::create_directories(folder_, error);
  trouble_ = write_state(path_of_state(folder_, 1 + count_ % 2), text_of(header_.line()) + text_of(line));
  next_ = Clock::now() + std::max<Clock::duration>(least_pause, most_of_the_time * (Clock::now() - begin));
}

std::optional<std::string> StateFiles::kept() {
  std::optional<KeptState> state = newest_state(folder_);
  if (!state || state->header != header_) return std::nullopt;
  count_ = state->count;
  return std::move(state->text);
}

std::string StateFiles::difference() const {
  const std::optional<KeptState> state = newest_state(folder_);
  return state ? header_.difference_to(state->header) : "";
}

bool StateFiles::is_there() const { return newest_state(folder_).has_value(); }

void StateFiles::remove() {
  for (const long which : {1, 2}) {
    const bool is_state = read_state(path_of_state(folder_, which)).has_value();
    if (is_state) ::unlink(path_of_state(folder_, which).c_str());
  }
}

}  // namespace salvo::journal
