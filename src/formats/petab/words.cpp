#include "formats/petab/words.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace salvo::formats::petab {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    std::string_view word = rest.substr(0, end);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    words.emplace_back(word);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

bool is_missing(const std::string& cell) {
  std::string word = cell;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word.empty() || word == "nan";
}

}  // namespace salvo::formats::petab
