#pragma once

#include <functional>
#include <set>
#include <string>

namespace salvo::formats {

// Names that a format allows, each once: the wanted one where it can be, otherwise one like it.
class FreshNames {
 public:
  explicit FreshNames(std::function<bool(const std::string&)> is_allowed) : is_allowed_(std::move(is_allowed)) {}

  std::string make(const std::string& wanted);

 private:
  std::function<bool(const std::string&)> is_allowed_;
  std::set<std::string> taken_;
};

}  // namespace salvo::formats
