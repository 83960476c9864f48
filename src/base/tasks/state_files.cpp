#include "base/tasks/state_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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
  const std::optional<std::string> whole = read_plain(path);
  if (!whole) return std::nullopt;
  const std::string& text = *whole;
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

}  // namespace

StateFiles::StateFiles(std::string folder, RunHeader header, bool goes_on)
    : folder_(std::move(folder)), header_(std::move(header)), goes_on_(goes_on), next_(Clock::now() + least_pause) {
  if (const std::optional<KeptState> state = newest_state(folder_)) count_ = state->count;
}

bool StateFiles::is_due() { return Clock::now() >= next_; }

void StateFiles::keep(const std::string& state) {
  const Clock::time_point begin = Clock::now();
  const Line line{{"state", std::to_string(++count_), true}, {"value", state}};
  std::error_code error;  // without the folder nothing can be written, and that is told
  std::filesystem::create_directories(folder_, error);
  trouble_ = replace_whole(path_of_state(folder_, 1 + count_ % 2), text_of(header_.line()) + text_of(line));
  next_ = Clock::now() + std::max<Clock::duration>(least_pause, most_of_the_time * (Clock::now() - begin));
}

std::optional<std::string> StateFiles::kept() {
  std::optional<KeptState> state = goes_on_ ? newest_state(folder_) : std::nullopt;
  if (!state || state->header != header_) return std::nullopt;
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
