#include "cli/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "cli/exit_code.hpp"
#include "report/display_text.hpp"
#include "report/json.hpp"
#include "report/lines.hpp"

namespace salvo::cli {
namespace {

struct Verdict {
  int code = exit_code::usage;
  std::string status{};
};

Verdict verdict_on(const Issues& issues) {
  const auto any = [&](Issue::Kind kind) {
    return std::any_of(issues.begin(), issues.end(), [&](const Issue& issue) { return issue.kind == kind; });
  };
  if (any(Issue::Kind::unreadable)) return {exit_code::usage, "usage"};
  if (any(Issue::Kind::invalid)) return {exit_code::invalid, "invalid"};
  return {exit_code::unsupported, "unsupported"};
}

bool is_terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) == 1 && !(kind != nullptr && std::string_view(kind) == "dumb");
}

int terminal_width(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int stated = columns == nullptr ? 0 : std::atoi(columns);
  return stated > 0 ? stated : static_cast<int>(report::terminal_width);
}

// A log or a pipe is read at any width: COLUMNS speaks of terminals only.
std::size_t sentence_width(int descriptor) {
  if (!is_terminal(descriptor)) return report::terminal_width;
  return std::min(report::terminal_width, static_cast<std::size_t>(terminal_width(descriptor)));
}

bool write(std::string_view text, std::FILE* stream) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
}

}  // namespace

void print(std::string_view text) {
  if (!write(text, stdout)) throw std::runtime_error("standard output cannot be written");
}

void print_error(std::string_view text) { write(text, stderr); }

int refuse(const Issues& issues, bool json) {
  const Verdict verdict = verdict_on(issues);
  for (const Issue& issue : issues) print_error(fmt::format("salvo: {}\n", shown(issue)));
  if (json) write(report::issues_json(verdict.status, issues), stdout);  // an error is on its way already
  return verdict.code;
}

std::string shown(const Issue& issue) { return report::printable_lines(to_string(issue)); }

bool is_terminal_out() { return is_terminal(STDOUT_FILENO); }
bool is_terminal_err() { return is_terminal(STDERR_FILENO); }

int terminal_width_err() { return terminal_width(STDERR_FILENO); }

std::size_t sentence_width_out() { return sentence_width(STDOUT_FILENO); }
std::size_t sentence_width_err() { return sentence_width(STDERR_FILENO); }

void print_note(std::string_view text) {
  // A second line begins below the first word, so that the next note can be told from it.
  constexpr std::string_view head = "note: ";
  const std::string lines = report::wrapped(text, head.size(), sentence_width_err());
  print_error(std::string(head) + lines.substr(std::min(head.size(), lines.size())));
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return is_terminal_out() && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace salvo::cli
