#include "base/tasks/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

bool is_being_written(const std::string& path) {
  const int file = open_plain(path);
  if (file < 0) return false;
  const bool is_locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return is_locked;
}

bool append_whole(int file, std::string_view text) {
  struct stat before {};
  if (fstat(file, &before) != 0) return false;
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(file, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int reason = written < 0 ? errno : ENOSPC;
      [[maybe_unused]] const int cut = ftruncate(file, before.st_size);
      errno = reason;
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace salvo::journal
