#include "base/exact_text.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/sha256.hpp"

namespace salvo {
namespace {

constexpr std::string_view checksum = "sha256 ";

// A text stays on its line, between quotes.
constexpr std::pair<char, char> escapes[] = {{'\\', '\\'}, {'"', '"'}, {'\n', 'n'}};

std::string title_of(const ExactKind& kind) { return fmt::format("salvo {} {}\n", kind.name, kind.version); }

}  // namespace

void WordWriter::add(double number) { fmt::format_to(std::back_inserter(line_), " {:a}", number); }

void WordWriter::pass(const std::string& value) {
  line_ += " \"";
  for (const char letter : value) {
    const auto* escape = std::find_if(std::begin(escapes), std::end(escapes),
                                      [letter](const auto& entry) { return entry.first == letter; });
    if (escape != std::end(escapes)) line_ += '\\';
    line_ += escape != std::end(escapes) ? escape->second : letter;
  }
  line_ += '"';
}

double WordReader::number() {
  if (!is_right_) return 0;
  char* after = nullptr;
  const double value = std::strtod(at_, &after);
  is_right_ = after != at_ && after <= end_;
  if (is_right_) at_ = after;
  return is_right_ ? value : 0;
}

void WordReader::pass(std::string& value) {
  value.clear();
  is_right_ = is_right_ && end_ - at_ >= 3 && at_[0] == ' ' && at_[1] == '"';
  if (!is_right_) return;
  for (at_ += 2; at_ < end_ && *at_ != '"'; ++at_) {
    char letter = *at_;
    if (letter == '\\' && at_ + 1 < end_) {
      ++at_;
      for (const auto& [meant, written] : escapes)
        if (*at_ == written) letter = meant;
    }
    value += letter;
  }
  is_right_ = at_ < end_;
  if (is_right_) ++at_;
}

ExactWriter::ExactWriter(const ExactKind& kind) : text_(title_of(kind)) {}

std::string ExactWriter::finish() { return fmt::format("{}{}{}\n", text_, checksum, sha256(text_)); }

ExactReader::ExactReader(const ExactKind& kind, std::string_view text) : kind_(kind) { take_lines(text); }

void ExactReader::take_lines(std::string_view text) {
  const std::string title = title_of(kind_);
  if (!text.starts_with(fmt::format("salvo {} ", kind_.name)))
    return complain(fmt::format("this is not {}", kind_.a_thing));
  const std::size_t end = text.rfind(checksum);
  if (end == std::string_view::npos) return complain(fmt::format("{} has no end", kind_.thing));
  std::string_view content = text.substr(0, end);
  if (text.substr(end) != fmt::format("{}{}\n", checksum, sha256(content)))
    return complain(fmt::format("{} was changed after it was written", kind_.thing));
  if (!content.starts_with(title)) return complain(fmt::format("{} is of another version of Salvo", kind_.thing));
  content.remove_prefix(title.size());
  while (!content.empty()) {
    const std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(line.size() + 1, content.size()));
    const std::size_t end_of_name = std::min(line.find(' '), line.size());
    lines_.emplace(line.substr(0, end_of_name), line.substr(end_of_name));
  }
}

void ExactReader::complain(std::string message) {
  trouble_ = Issue{.kind = Issue::Kind::unreadable, .message = std::move(message), .hint = "begin the run again"};
}
void ExactReader::complain_of(std::string_view name) { complain(fmt::format("{} lacks '{}'", kind_.thing, name)); }

}  // namespace salvo
