#include "runs/run_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "base/tasks/files.hpp"
#include "options/door.hpp"

namespace salvo::runs {
namespace {

namespace fs = std::filesystem;
using options::usage_issue;

constexpr const char* file_name = "run.jsonl";
constexpr const char* stood_in = "stood in";  // seen from the folder of the run, which may be mounted elsewhere

fs::path place_of(const std::string& folder) {
  std::error_code error;
  const fs::path place = fs::canonical(folder, error);
  return error ? fs::path(folder) : place;
}

std::string where_this_process_stands(const std::string& folder) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const std::string seen = fs::relative(here, place_of(folder), error).string();
  return error || seen.empty() ? here.string() : seen;
}

std::optional<RunFile> parsed(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const auto first = journal::line_of(std::string_view(text).substr(0, end));
  const auto second = journal::line_of(std::string_view(text).substr(std::min(end, text.size())));
  const auto header = first ? journal::RunHeader::from(*first) : std::nullopt;
  const auto words = second ? words_of(*second) : std::nullopt;
  if (!header || !words) return std::nullopt;
  return RunFile{*header, *words, std::string(journal::value_of(*second, stood_in))};
}

}  // namespace

std::string run_text(const std::string& folder, const journal::RunHeader& header, const RunWords& words) {
  journal::Line line = line_of(words);
  line.push_back({stood_in, where_this_process_stands(folder)});
  return journal::text_of(header.line()) + journal::text_of(line);
}

Result<RunFile> read_run_text(const std::string& folder, const std::string& text) {
  std::optional<RunFile> file = parsed(text);
  if (!file) return usage_issue(fmt::format("'{}/{}' cannot be read", folder, file_name), "begin the run again");
  file->stood_in = (place_of(folder) / file->stood_in).lexically_normal().string();
  return std::move(*file);
}

void write_run_file(const std::string& folder, const journal::RunHeader& header, const RunWords& words) {
  const std::string path = (fs::path(folder) / file_name).string();
  const std::string trouble = journal::replace_whole(path, run_text(folder, header, words));
  if (!trouble.empty()) throw std::runtime_error(fmt::format("cannot write '{}': {}", path, trouble));
}

void remove_run_file(const std::string& folder) {
  std::error_code error;
  if (read_run_file(folder)) fs::remove(fs::path(folder) / file_name, error);
}

Result<RunFile> read_run_file(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return usage_issue(fmt::format("there is no folder '{}'", folder));
  const auto text = journal::read_plain((fs::path(folder) / file_name).string());
  if (!text)
    return usage_issue(fmt::format("'{}' holds no run: there is no {}", folder, file_name),
                       "name a folder that salvo fit --starts, study --out or profile has begun");
  return read_run_text(folder, *text);
}

}  // namespace salvo::runs
