#include "report/figure/convert.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "report/folder_update.hpp"

extern char** environ;  // which POSIX declares nowhere

namespace salvo::report::figure {
namespace {

namespace fs = std::filesystem;

constexpr int not_found = 127;  // as shells say it
constexpr const char* resolution = "300";

// Runs a program without a word on the screen; its exit code, or `not_found`.
int run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int trouble = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (trouble != 0) return not_found;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

Issue without_tool(Format format) {
  return {
      .kind = Issue::Kind::unsupported,
      .message = fmt::format("a figure as {} needs the program rsvg-convert, which is not there", to_string(format)),
      .hint = "install it (apt-get install librsvg2-bin), or write SVG (--format svg)"};
}

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::svg: return "svg";
    case Format::pdf: return "pdf";
    case Format::png: return "png";
  }
  return {};
}

Issues write_figure(const std::string& svg, Format format, const std::string& file) {
  if (format == Format::svg) {
    write_file(file, svg);
    return {};
  }
  const std::string whole = fs::absolute(file).string();  // which is never taken for an option
  const std::string drawing = whole + ".drawing.svg";
  const std::string made = whole + ".part";
  write_file(drawing, svg);
  const int code = run({"rsvg-convert", "--format", std::string(to_string(format)), "--dpi-x", resolution, "--dpi-y",
                        resolution, "--output", made, drawing});
  std::error_code error;
  fs::remove(drawing, error);
  if (code == 0) fs::rename(made, file, error);
  if (code == 0 && !error) return {};
  fs::remove(made, error);
  if (code == not_found) return {without_tool(format)};
  return {{.kind = Issue::Kind::unreadable,
           .file = file,
           .message = fmt::format("rsvg-convert could not make it (exit code {})", code),
           .hint = "write SVG (--format svg), and convert that"}};
}

}  // namespace salvo::report::figure
