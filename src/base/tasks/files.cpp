#include "base/tasks/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace salvo::journal {

std::vector<std::string> journals_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator next(folder, error), end; !error && next != end; next.increment(error)) {
    const std::string name = next->path().filename().string();
    if (name.starts_with("journal.") && name.ends_with(".jsonl")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

int open_plain(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat found {};
  if (file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode)) return file;
  if (file >= 0) ::close(file);
  return -1;
}

std::optional<std::string> read_plain(const std::string& path) {
  const int file = open_plain(path);
  if (file < 0) return std::nullopt;
  std::string text, piece(1 << 16, '\0');
  for (ssize_t got = 0; (got = ::read(file, piece.data(), piece.size())) > 0;)
    text.append(piece, 0, static_cast<std::size_t>(got));
  ::close(file);
  return text;
}

std::string replace_whole(const std::string& path, std::string_view text) {
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

bool is_being_written(const std::string& path) {
  const int file = open_plain(path);
  if (file < 0) return false;
  const bool is_locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return is_locked;
}

bool append_whole(int file, std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(file, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int reason = written < 0 ? errno : ENOSPC;
      struct stat now {};
      const auto half = static_cast<off_t>(text.size() - rest.size());
      const bool is_whole = half == 0 || fstat(file, &now) != 0;
      [[maybe_unused]] const int cut = is_whole ? 0 : ftruncate(file, now.st_size - half);
      errno = reason;
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace salvo::journal
