#include "formats/outside_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace salvo::formats {
namespace {

namespace fs = std::filesystem;

bool may_quote(const Issue& issue) {
  if (issue.kind == Issue::Kind::invalid) return true;
  return issue.kind == Issue::Kind::warning && issue.message.find('\'') != std::string::npos;
}

}  // namespace

bool is_outside(const std::string& problem_file, const std::string& file) {
  std::error_code error;
  const fs::path home = fs::weakly_canonical(fs::absolute(problem_file, error), error).parent_path();
  const fs::path there = fs::weakly_canonical(fs::absolute(file, error), error);
  const fs::path way = there.lexically_relative(home);
  return error || way.empty() || *way.begin() == "..";
}

void conceal_outside_files(const std::string& problem_file, Issues& issues) {
  std::map<std::string, bool> outside;
  for (Issue& issue : issues) {
    if (issue.file.empty() || issue.file == problem_file || !may_quote(issue)) continue;
    const auto [known, is_new] = outside.try_emplace(issue.file, false);
    if (is_new) known->second = is_outside(problem_file, issue.file);
    if (!known->second) continue;
    issue.message = "what stands here cannot be used";
    issue.hint = "the file lies outside the folder of the problem; copy it there to be told more";
  }
}

}  // namespace salvo::formats
