#include "report/folder_update.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace salvo::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".salvo-";  // of what is not finished; a random ending follows
constexpr std::size_t ending = 8;

[[noreturn]] void refuse(std::string_view deed, const fs::path& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("cannot {} '{}': {}", deed, path.string(), reason));
}
[[noreturn]] void refuse(std::string_view deed, const fs::path& path) { refuse(deed, path, std::strerror(errno)); }

}  // namespace

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, mode_t mode = 0) : number_(open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }
  // Until it is closed; the kernel lets go of it when the process dies. Some file systems know no locks.
  enum class Lock { ours, another_s, none };
  Lock lock() const {
    if (is_open() && flock(number_, LOCK_EX | LOCK_NB) == 0) return Lock::ours;
    return errno == EWOULDBLOCK ? Lock::another_s : Lock::none;
  }
  void wait() const {
    while (is_open() && flock(number_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  bool is_at(const fs::path& path) const {
    struct stat own {};
    struct stat there {};
    return fstat(number_, &own) == 0 && lstat(path.c_str(), &there) == 0 && own.st_dev == there.st_dev &&
           own.st_ino == there.st_ino;
  }

 private:
  int number_;
};

namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void sync_folder(const fs::path& folder) {  // as far as the file system knows how
  const Descriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
  if (descriptor.is_open()) fsync(descriptor.number());
}

// A name beside `path` that nobody else has.
fs::path unfinished_name(const fs::path& path) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::string name = "." + path.filename().string() + std::string(mark);
  for (std::size_t k = 0; k < ending; ++k) name += letters[random() % letters.size()];
  return path.parent_path() / name;
}

bool is_unfinished(const fs::path& found, const fs::path& path) {
  const std::string begin = "." + path.filename().string() + std::string(mark);
  const std::string name = found.filename().string();
  return name.starts_with(begin) && name.size() == begin.size() + ending;
}

bool is_own(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && found.st_uid == geteuid();
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator next(folder, error), end; !error && next != end; next.increment(error))
    found.push_back(next->path());
  return found;
}

// What a killed process has left beside `path`: nobody locks it any more.
std::vector<fs::path> leftovers(const fs::path& path) {
  std::vector<fs::path> found = entries(path.parent_path().empty() ? fs::path(".") : path.parent_path());
  std::erase_if(found, [&](const fs::path& entry) {
    return !is_unfinished(entry, path) || !is_own(entry) ||
           Descriptor(entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).lock() != Descriptor::Lock::ours;
  });
  return found;
}

// Takes a folder away that has been replaced or left behind, but nothing that is not also in the one that took its
// place.
void retire(const fs::path& old, const fs::path& folder, std::span<const std::string_view> names) {
  std::error_code error;
  for (const fs::path& entry : entries(old)) {
    const std::string name = entry.filename().string();
    const bool is_result = std::find(names.begin(), names.end(), name) != names.end();
    const fs::path place = folder / name;
    if (!is_result && !fs::exists(fs::symlink_status(place, error))) fs::rename(entry, place, error);
    const bool is_there = fs::exists(fs::symlink_status(place, error));
    if (is_result || (is_there && !fs::is_directory(fs::symlink_status(entry, error)))) fs::remove(entry, error);
  }
  fs::remove(old, error);  // unless something is still in it
}

fs::path real_path(const std::string& folder) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (error) path = fs::absolute(folder, error);
  return path.has_filename() ? path : path.parent_path();
}

// Processes that share a run append to their journals; the folder under them stays what it is.
bool is_appended_to(const fs::path& entry) { return entry.filename().string().starts_with("journal."); }

bool is_current(const fs::path& folder) {
  std::error_code error;
  return fs::equivalent(folder, ".", error);
}

// A link under another name first, which then takes the place of what stands there.
bool put_link(const fs::path& target, const fs::path& aside, const fs::path& place) {
  return symlink(target.c_str(), aside.c_str()) == 0 && rename(aside.c_str(), place.c_str()) == 0;
}

// Lets the link `now` of a stage lead to one of its folders.
bool turn(const fs::path& stage, const char* to) { return put_link(to, stage / "next", stage / "now"); }

bool is_link_of_update(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::read_symlink(path, error);
  return !error && is_unfinished(target.begin() == target.end() ? fs::path() : *target.begin(), "new");
}

TextSource whole(std::string_view text) {
  return [text](const TextSink& write) { write(text); };
}

// Into a new file and onto the disk; what stands there already is neither followed nor replaced. Empty, or why not.
std::string try_to_write(const fs::path& path, const TextSource& text) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  if (!file.is_open()) return std::strerror(errno);
  file.lock();
  std::string reason;
  text([&](std::string_view piece) {
    if (reason.empty() && !write_all(file.number(), piece)) reason = std::strerror(errno);
  });
  if (reason.empty() && fdatasync(file.number()) != 0) reason = std::strerror(errno);
  if (!file.close() && reason.empty()) reason = std::strerror(errno);
  if (!reason.empty()) unlink(path.c_str());
  return reason;
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  std::error_code error;
  for (const fs::path& left : leftovers(path)) fs::remove(left, error);
  const fs::path unfinished = unfinished_name(path);
  if (const std::string reason = try_to_write(unfinished, whole(text)); !reason.empty()) refuse("write", path, reason);
  fs::rename(unfinished, path, error);
  if (!error) return;
  const std::string reason = error.message();
  fs::remove(unfinished, error);
  refuse("write", path, reason);
}

// --- a whole folder --------------------------------------------------------------------------------------------------

class FolderUpdate::Stage {
 public:
  explicit Stage(fs::path path) : path_(std::move(path)), lock_(path_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) {}
  ~Stage() {
    std::error_code error;
    if (is_there_) fs::remove_all(path_, error);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // Null if nothing can be made there.
  static std::unique_ptr<Stage> make_beside(const fs::path& path) {
    constexpr int patience = 10;  // others may take it for a leftover until it is locked
    for (int n = 0; n < patience; ++n) {
      const fs::path name = unfinished_name(path);
      if (mkdir(name.c_str(), 0777) != 0) return nullptr;
      auto stage = std::make_unique<Stage>(name);
      if (stage->lock_.lock() != Descriptor::Lock::another_s && stage->lock_.is_at(name)) return stage;
    }
    return nullptr;
  }

  const fs::path& path() const { return path_; }
  void give_away() { is_there_ = false; }

 private:
  fs::path path_;
  Descriptor lock_;
  bool is_there_ = true;
};

FolderUpdate::FolderUpdate(const std::string& folder) : shown_(folder), folder_(real_path(folder)) {
  std::error_code error;
  if (fs::exists(folder_, error) && !fs::is_directory(folder_, error))
    refuse("make the folder", folder, "there is a file with this name");
  fs::create_directories(folder_.parent_path(), error);
  if (error) refuse("make the folder", folder, error.message());
  const auto found = entries(folder_);
  const bool can_be_exchanged =
      !fs::exists(folder_, error) ||
      (is_own(folder_) && !is_current(folder_) && std::none_of(found.begin(), found.end(), [&](const fs::path& entry) {
         return fs::is_directory(entry, error) || is_appended_to(entry);
       }));
  if (can_be_exchanged) stage_ = Stage::make_beside(folder_);
  if (stage_) return;
  fs::create_directories(folder_, error);
  stage_ = error ? nullptr : Stage::make_beside(folder_ / "new");
  if (!stage_) refuse("write into the folder", folder);
}

FolderUpdate::~FolderUpdate() = default;

void FolderUpdate::write(const std::string& name, std::string_view text) { write(name, whole(text)); }

void FolderUpdate::write(const std::string& name, const TextSource& text) {
  if (const std::string reason = try_to_write(stage_->path() / name, text); !reason.empty())
    refuse("write", shown_ / name, reason);
  written_.insert(name);
  last_ = name;
}

void FolderUpdate::finish(std::span<const std::string_view> names) {
  sync_folder(stage_->path());
  if (stage_->path().parent_path() == folder_)
    switch_files(names);
  else if (!exchange(names))
    move_files(names);
  stage_.reset();
  sync_folder(folder_.parent_path());
  for (const fs::path& left : leftovers(folder_)) retire(left, folder_, names);
  std::error_code error;  // nothing links into these any more, and they hold results only
  for (const fs::path& left : leftovers(folder_ / "new")) fs::remove_all(left, error);
}

// False if it cannot be; then all is as before.
bool FolderUpdate::exchange(std::span<const std::string_view> names) {
  const fs::path& stage = stage_->path();
  struct stat old {};
  if (stat(folder_.c_str(), &old) != 0) {
    if (renameat2(AT_FDCWD, stage.c_str(), AT_FDCWD, folder_.c_str(), RENAME_NOREPLACE) != 0) return false;
    stage_->give_away();
    return true;
  }
  if (chmod(stage.c_str(), old.st_mode & 07777U) != 0) return false;
  const Descriptor lock(folder_, O_RDONLY | O_DIRECTORY);  // what it is now is nobody's leftover until it is gone
  if (lock.lock() == Descriptor::Lock::another_s) return false;
  for (const fs::path& entry : entries(folder_)) {
    const std::string name = entry.filename().string();
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    if (linkat(AT_FDCWD, entry.c_str(), AT_FDCWD, (stage / name).c_str(), 0) != 0 && errno != ENOENT) return false;
  }
  if (renameat2(AT_FDCWD, stage.c_str(), AT_FDCWD, folder_.c_str(), RENAME_EXCHANGE) != 0) return false;
  stage_->give_away();
  retire(stage, folder_, names);
  return true;
}

// The folder itself stays, and so does what else is in it. Every file becomes a link to stage/now/FILE, where `now` is
// itself a link: to the old files, until it is turned to the new ones by one renaming. Then the new files take the
// places of the links. Whoever reads at any moment reads old files, or new ones.
void FolderUpdate::switch_files(std::span<const std::string_view> names) {
  const fs::path& stage = stage_->path();
  std::error_code error;
  for (const std::string& name : written_)
    if (fs::is_directory(fs::symlink_status(folder_ / name, error)))
      refuse("write", shown_ / name, "a folder has this name");
  const Descriptor lock(folder_, O_RDONLY | O_DIRECTORY);
  lock.wait();
  fs::create_directory(stage / "old", error);
  if (!turn(stage, "old")) return move_files(names);  // this file system has no links
  for (const std::string_view name : names) {
    const fs::path old = folder_ / name;
    const bool is_left = is_link_of_update(old);  // by one that was killed
    const fs::path kept = stage / "old" / name;
    const int failed = linkat(AT_FDCWD, old.c_str(), AT_FDCWD, kept.c_str(), is_left ? AT_SYMLINK_FOLLOW : 0);
    if (failed != 0 && errno != ENOENT) return move_files(names);  // somebody else's file, to which no link may be made
  }
  for (const std::string_view name : names) {
    const bool is_wanted = written_.contains(std::string(name)) || fs::exists(stage / "old" / name, error);
    if (is_wanted && !put_link(stage.filename() / "now" / name, stage / "link", folder_ / name))
      refuse("write", shown_ / name);
  }
  if (!turn(stage, ".")) refuse("write into the folder", shown_);
  for (const std::string_view name : names) {
    const fs::path place = folder_ / name;
    if (!written_.contains(std::string(name)))
      fs::remove(place, error);
    else if (linkat(AT_FDCWD, (stage / name).c_str(), AT_FDCWD, (stage / "link").c_str(), 0) != 0 ||
             rename((stage / "link").c_str(), place.c_str()) != 0)
      refuse("write", shown_ / name);
  }
}

// The last file is what other programs look for: while others change, there is none.
void FolderUpdate::move_files(std::span<const std::string_view> names) {
  std::error_code error;
  fs::create_directories(folder_, error);
  for (const std::string& name : written_)
    if (fs::is_directory(fs::symlink_status(folder_ / name, error)))
      refuse("write", shown_ / name, "a folder has this name");
  fs::remove(folder_ / last_, error);
  for (const std::string_view name : names)
    if (!written_.contains(std::string(name))) fs::remove(folder_ / name, error);
  written_.erase(last_);
  const auto move = [&](const std::string& name) {
    fs::rename(stage_->path() / name, folder_ / name, error);
    if (error) refuse("write", shown_ / name, error.message());
  };
  for (const std::string& name : written_) move(name);
  move(last_);
}

}  // namespace salvo::report
