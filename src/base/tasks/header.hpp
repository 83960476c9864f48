#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks/line.hpp"

namespace salvo::journal {

// All that the results of a run depend on: the first line of each of its journals. Two runs whose headers are the same
// come to the same bits, task by task.
class RunHeader {
 public:
  // Names are told in messages as they stand here.
  void add(std::string name, std::string value);
  void add_file(const std::string& path, std::string sha256);  // known by its name, wherever it lies

  std::string_view value(std::string_view name) const { return value_of(entries_, name); }
  // Takes over what an earlier run says of this.
  void adopt(std::string_view name, const RunHeader& earlier);
  Line line() const;
  // Nothing where it is no header.
  static std::optional<RunHeader> from(const Line& line);

  // How this run differs from an earlier one, in words; empty if it does not.
  std::string difference_to(const RunHeader& earlier) const;
  bool operator==(const RunHeader&) const = default;

 private:
  Line entries_;
};

}  // namespace salvo::journal
