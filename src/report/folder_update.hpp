#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "report/text_sink.hpp"

namespace salvo::report {

// Gives away a text, piece by piece.
using TextSource = std::function<void(const TextSink&)>;

// Puts the text into the file at once: under another name first, which then takes the place of the old file, so that
// an interruption leaves either the old or the new text. Throws std::runtime_error if the disk refuses.
void write_file(const std::string& path, std::string_view text);

// The files of a result folder change all at once: whoever looks, and whenever the program is killed, finds the old
// ones or the new ones. They are written into a folder beside it, which then changes places with it. Where that cannot
// be (the folder is a mount point or the place where the user stands, or holds folders or journals), they are written
// into a folder inside, and links change all at once. Only where a file system knows no links are files moved one by
// one, the last one last. Everything throws std::runtime_error if the disk refuses; nothing has changed then.
class FolderUpdate {
 public:
  // Makes what is missing of the path to the folder. What updates that were killed have left is taken away.
  explicit FolderUpdate(const std::string& folder);
  ~FolderUpdate();
  FolderUpdate(const FolderUpdate&) = delete;
  FolderUpdate& operator=(const FolderUpdate&) = delete;

  void write(const std::string& name, std::string_view text);
  void write(const std::string& name, const TextSource& text);
  // `names` are all those that updates of this kind may write: old files with these names go, all others stay.
  void finish(std::span<const std::string_view> names);

 private:
  class Stage;  // where new files wait, locked as long as this process lives

  bool exchange(std::span<const std::string_view> names);
  void switch_files(std::span<const std::string_view> names);
  void move_files(std::span<const std::string_view> names);

  std::filesystem::path shown_;  // as the user named it
  std::filesystem::path folder_;
  std::unique_ptr<Stage> stage_;
  std::set<std::string> written_;
  std::string last_;
};

}  // namespace salvo::report
