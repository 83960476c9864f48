#include "formats/fresh_names.hpp"

#include <cctype>

namespace salvo::formats {

std::string FreshNames::make(const std::string& wanted) {
  std::string name = wanted;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(name.begin(), '_');
  while (!is_allowed_(name) || taken_.contains(name)) name += '_';
  taken_.insert(name);
  return name;
}

}  // namespace salvo::formats
