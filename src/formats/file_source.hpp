#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "formats/text_file.hpp"

namespace salvo::formats {

// Files by their paths, relative to the folder of the problem file where they are below it.
using GivenFiles = std::map<std::string, std::string>;

// Where the files of a problem come from: the disk, or texts that the caller has brought along. A problem that was read
// can be read again from what its source remembers, in another folder and on another machine.
class FileSource {
 public:
  FileSource() = default;  // the disk
  // Nothing but these.
  explicit FileSource(GivenFiles given) : given_(std::move(given)) {}

  Result<std::string> bytes(const std::string& path);
  Result<TextFile> text(const std::string& path);

  // From now on every file that is read is kept, by its path from the folder of `problem_file`.
  void remember(const std::string& problem_file);
  const GivenFiles& remembered() const { return remembered_; }

  bool is_given() const { return given_.has_value(); }
  const GivenFiles& given() const { return *given_; }

 private:
  std::optional<GivenFiles> given_{};
  std::optional<std::string> folder_{};  // of the problem file, if files are kept
  GivenFiles remembered_{};
};

}  // namespace salvo::formats
