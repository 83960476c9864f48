#include "base/tasks/reader.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "base/tasks/files.hpp"

namespace salvo::journal {
namespace {

constexpr std::size_t one_piece = 1 << 16;
constexpr std::size_t longest_line = std::size_t{1} << 28;  // longer than that of any task
constexpr long most_tasks = 10'000'000;

std::size_t read_at(int file, std::int64_t at, std::size_t count, std::string& out) {
  out.resize(count);
  const ssize_t got = ::pread(file, out.data(), count, at);
  out.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return out.size();
}

double seconds_of(const Line& line) {
  const std::string_view text = value_of(line, "seconds");
  double seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return seconds;
}

}  // namespace

Reader::Reader(std::string folder, RunHeader header) : folder_(std::move(folder)), header_(std::move(header)) {
  refresh();
}

Reader::~Reader() {
  if (open_ >= 0) ::close(open_);
}

void Reader::refresh() {
  for (const std::string& name : journals_in(folder_))
    if (std::none_of(files_.begin(), files_.end(), [&](const File& file) { return file.name == name; }))
      files_.push_back({.name = name});
  for (std::size_t n = 0; n < files_.size(); ++n)
    if (!files_[n].is_known || files_[n].is_ours) read_on(n);
}

// A line without an end is left for later: it is being written, or torn for good.
void Reader::read_on(std::size_t n) {
  const int file = open_plain(folder_ + "/" + files_[n].name);
  if (file < 0) return;
  std::string rest, piece;
  while (read_at(file, files_[n].read + static_cast<std::int64_t>(rest.size()), one_piece, piece) > 0) {
    rest += piece;
    std::size_t begin = 0;
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n', begin)) {
      take(n, files_[n].read, std::string_view(rest).substr(begin, end + 1 - begin));
      files_[n].read += static_cast<std::int64_t>(end + 1 - begin);
      begin = end + 1;
    }
    rest.erase(0, begin);
    if (rest.size() > longest_line || (files_[n].is_known && !files_[n].is_ours)) break;
  }
  ::close(file);
}

void Reader::take(std::size_t n, std::int64_t at, std::string_view text) {
  const std::optional<Line> line = line_of(text);
  if (!files_[n].is_known) return take_header(files_[n], line);
  if (!files_[n].is_ours) return;
  const long index = line ? number_of(*line, "index") : -1;
  const bool names_task = index >= 0 && index < most_tasks;
  const std::string first = line && !line->empty() ? line->front().name : "";
  if (first == "list") return take_list(files_[n], *line);
  if (first == "task" && names_task) return take_task(n, at, *line);
  if (first == "crash" && names_task) {
    ++tasks_[line->front().value].crashes[static_cast<int>(index)];
  } else if (first == "at" && names_task) {
    tasks_[line->front().value].begun.insert(static_cast<int>(index));
  } else if (first == "written") {
    written_ = std::max(written_, number_of(*line, "written"));
  } else {
    ++damaged_;
  }
}

void Reader::take_header(File& file, const std::optional<Line>& line) {
  const std::optional<RunHeader> header = line ? RunHeader::from(*line) : std::nullopt;
  file.is_known = true;
  file.is_ours = header == header_;
  if (file.is_ours)
    names_.push_back(file.name);
  else if (header)
    strangers_.push_back({file.name, *header});
  else
    ++damaged_;
}

void Reader::take_list(File& file, const Line& line) {
  Tasks& tasks = tasks_[line.front().value];
  if (tasks.planned == 0)
    tasks.place = static_cast<int>(
        std::count_if(tasks_.begin(), tasks_.end(), [](const auto& each) { return each.second.planned > 0; }));
  tasks.planned = std::max(tasks.planned, static_cast<int>(std::clamp(number_of(line, "count"), 0L, most_tasks)));
  file.threads = static_cast<int>(std::clamp(number_of(line, "threads"), 0L, most_tasks));
}

std::vector<Reader::ListFound> Reader::lists() const {
  std::vector<ListFound> found;
  for (const auto& [kind, all] : tasks_) {
    found.push_back({kind, all.planned, all.count, 0, all.seconds});
    ListFound& list = found.back();
    for (const auto& [task, crashes] : all.crashes)
      list.given_up += crashes >= most_crashes && !has(kind, task) ? 1 : 0;
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](const ListFound& a, const ListFound& b) { return tasks(a.kind)->place < tasks(b.kind)->place; });
  return found;
}

int Reader::threads(const std::string& file) const {
  for (const File& each : files_)
    if (each.name == file) return each.threads;
  return 0;
}

void Reader::take_task(std::size_t n, std::int64_t at, const Line& line) {
  Tasks& tasks = tasks_[line.front().value];
  const auto index = static_cast<std::size_t>(number_of(line, "index"));
  if (tasks.places.size() <= index) tasks.places.resize(index + 1);
  Place& place = tasks.places[index];
  if (place.file < 0) {
    place = {static_cast<std::int32_t>(n), at};
    ++tasks.count;
    tasks.seconds += seconds_of(line);
    return;
  }
  const std::optional<Line> before = line_at(place);
  if (before && value_of(*before, "value") == value_of(line, "value")) return;
  throw std::runtime_error(
      fmt::format("the {} {} has two results, in '{}' and in '{}': these machines do not compute the same. Take one of "
                  "the files away and go on with the machines that agree",
                  line.front().value, index, files_[static_cast<std::size_t>(place.file)].name, files_[n].name));
}

const Reader::Tasks* Reader::tasks(const std::string& kind) const {
  const auto found = tasks_.find(kind);
  return found == tasks_.end() ? nullptr : &found->second;
}

bool Reader::has(const std::string& kind, int task) const {
  const Tasks* all = tasks(kind);
  const auto index = static_cast<std::size_t>(task);
  return all != nullptr && index < all->places.size() && all->places[index].file >= 0;
}

int Reader::count(const std::string& kind) const {
  const Tasks* all = tasks(kind);
  return all == nullptr ? 0 : all->count;
}

long Reader::count_all() const {
  long sum = 0;
  for (const auto& [kind, all] : tasks_) sum += all.count;
  return sum;
}

int Reader::crashes(const std::string& kind, int task) const {
  const Tasks* all = tasks(kind);
  const auto found = all == nullptr ? std::map<int, int>::const_iterator{} : all->crashes.find(task);
  return all == nullptr || found == all->crashes.end() ? 0 : found->second;
}

bool Reader::was_begun(const std::string& kind, int task) const {
  const Tasks* all = tasks(kind);
  return all != nullptr && all->begun.contains(task);
}

std::optional<TaskBoard::Kept> Reader::result(const std::string& kind, int task) {
  if (!has(kind, task)) return std::nullopt;
  const std::optional<Line> line = line_at(tasks(kind)->places[static_cast<std::size_t>(task)]);
  if (!line) throw std::runtime_error(fmt::format("a journal in '{}' was changed while it was read", folder_));
  return TaskBoard::Kept{std::string(value_of(*line, "value")), seconds_of(*line)};
}

// Brings the line that begins there into the piece that is at hand.
bool Reader::fill(const Place& place) {
  if (open_file_ != place.file) {
    if (open_ >= 0) ::close(open_);
    open_ = open_plain(folder_ + "/" + files_[static_cast<std::size_t>(place.file)].name);
    open_file_ = place.file;
    piece_.clear();
  }
  if (open_ < 0) return false;
  for (std::size_t count = one_piece; count <= longest_line; count *= 4) {
    piece_at_ = place.at;
    const std::size_t got = read_at(open_, place.at, count, piece_);
    if (piece_.find('\n') != piece_.npos) return true;
    if (got < count) return false;
  }
  return false;
}

std::optional<Line> Reader::line_at(const Place& place) {
  const auto rest = [&]() -> std::string_view {
    if (open_file_ != place.file || place.at < piece_at_) return {};
    return std::string_view(piece_).substr(std::min(piece_.size(), static_cast<std::size_t>(place.at - piece_at_)));
  };
  if (rest().find('\n') == std::string_view::npos && !fill(place)) return std::nullopt;
  return line_of(rest().substr(0, rest().find('\n') + 1));
}

}  // namespace salvo::journal
