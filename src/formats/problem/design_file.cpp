#include <utility>

#include "formats/problem/read.hpp"
#include "formats/problem/sections.hpp"
#include "formats/yaml/read.hpp"

namespace salvo::formats {
namespace {

// What the file that a problem was read from had declared.
void declare_again(Draft& draft) {
  const model::Problem& problem = draft.problem;
  const auto declare = [&](const auto& things, Name::Kind kind) {
    for (std::size_t i = 0; i < things.size(); ++i)
      draft.names.emplace(things[i].id, Name{.kind = kind, .index = static_cast<int>(i)});
  };
  declare(problem.states, Name::Kind::state);
  declare(problem.parameters, Name::Kind::parameter);
  declare(problem.definitions, Name::Kind::definition);
  declare(problem.observables, Name::Kind::observable);
  declare(problem.inputs, Name::Kind::input);
  declare(problem.derived, Name::Kind::derived);
  for (const model::Definition& definition : problem.definitions)
    draft.definitions.push_back({.id = definition.id, .node = definition.formula});
  for (Definition& definition : draft.definitions) note_what_it_uses(draft, definition);
  draft.calendar = problem.calendar;
}

Result<model::Problem> with_design(model::Problem problem, Result<TextFile> file, FileSource& source) {
  if (!file) return file.issues();
  const std::string name = problem.file;
  Draft draft(*std::move(file), source);
  draft.problem = std::move(problem);
  declare_again(draft);
  const yaml::Document document = yaml::read(draft.file);
  draft.log.add_all(document.issues);
  if (document.root) {
    const yaml::Node* section = document.root->find("design");
    read_design(draft, section != nullptr ? *section : *document.root);
  }
  Issues issues = draft.log.issues();
  sort_by_place(issues);
  columns_in_characters(draft.file, issues);
  issues.insert(issues.end(), draft.data_issues.begin(), draft.data_issues.end());
  if (!issues.empty()) return shorten(std::move(issues), draft.log.left_out());
  draft.problem.file = name;
  return std::move(draft.problem);
}

}  // namespace

Result<model::Problem> read_design_file(model::Problem problem, const std::string& path) {
  FileSource disk;
  return with_design(std::move(problem), disk.text(path), disk);
}

Result<model::Problem> read_design_text(model::Problem problem, std::string text, const std::string& name) {
  FileSource disk;
  return with_design(std::move(problem), as_text_file(name, std::move(text)), disk);
}

}  // namespace salvo::formats
