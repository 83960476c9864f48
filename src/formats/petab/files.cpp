#include "formats/petab/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace salvo::formats::petab {
namespace {

namespace fs = std::filesystem;
using yaml::Node;

bool says_something(const Node* node) { return node != nullptr && node->kind != Node::Kind::null; }

class FileReader {
 public:
  explicit FileReader(Draft& draft) : draft_(draft), folder_(fs::path(draft.log.file()).parent_path()) {}

  void read_version_one(const Node& root) {
    draft_.files.parameters = list(root, "parameter_file", true);
    const Node* problems = root.find("problems");
    if (!says_something(problems) || problems->kind != Node::Kind::sequence || problems->items.empty())
      return draft_.log.add(problems != nullptr ? problems->place : Place{1, 1},
                            "'problems' must be a list of one problem");
    if (problems->items.size() > 1) return draft_.refuse("more than one problem in a file");
    const Node& problem = problems->items[0];
    if (problem.kind != Node::Kind::map)
      return draft_.log.add(problem.place, "a problem must be a map of lists of files");
    take_model(list(problem, "sbml_files", true));
    draft_.files.measurements = list(problem, "measurement_files", true);
    draft_.files.conditions = list(problem, "condition_files", true);
    draft_.files.observables = list(problem, "observable_files", true);
  }

  void read_version_two(const Node& root) {
    draft_.files.parameters = list(root, "parameter_files", true);
    draft_.files.observables = list(root, "observable_files", true);
    draft_.files.measurements = list(root, "measurement_files", true);
    draft_.files.conditions = list(root, "condition_files", false);
    draft_.files.experiments = list(root, "experiment_files", false);
    draft_.files.mappings = list(root, "mapping_files", false);
    read_models(root.find("model_files"));
    read_extensions(root.find("extensions"));
  }

 private:
  void take_model(const std::vector<std::string>& models) {
    if (models.size() > 1) draft_.refuse("more than one model");
    if (!models.empty()) draft_.files.model = models[0];
  }

  void read_models(const Node* models) {
    if (!says_something(models) || models->kind != Node::Kind::map || models->entries.empty())
      return draft_.log.add(models != nullptr ? models->place : Place{1, 1}, "'model_files' must name a model");
    if (models->entries.size() > 1) return draft_.refuse("more than one model");
    const Node& model = models->entries[0].value;
    const Node* language = model.find("language");
    if (language != nullptr && language->text != "sbml")
      return draft_.refuse(fmt::format("models written in '{}'", language->text.substr(0, 40)));
    const Node* location = model.find("location");
    if (!says_something(location) || !location->is_text())
      return draft_.log.add(model.place, "the model has no 'location'");
    draft_.files.model = path_of(*location);
  }

  void read_extensions(const Node* extensions) {
    if (!says_something(extensions)) return;
    if (extensions->kind != Node::Kind::map) return draft_.log.add(extensions->place, "'extensions' must be a map");
    for (const yaml::Entry& entry : extensions->entries) {
      const Node* required = entry.value.find("required");
      if (required == nullptr || required->text != "false")
        draft_.refuse(fmt::format("the extension '{}' of PEtab", entry.key.text.substr(0, 40)));
    }
  }

  std::vector<std::string> list(const Node& map, const std::string& key, bool is_needed) {
    const Node* node = map.find(key);
    std::vector<std::string> files;
    if (says_something(node) && node->is_text()) files.push_back(path_of(*node));
    if (says_something(node) && node->kind == Node::Kind::sequence)
      for (const Node& item : node->items) {
        if (item.is_text())
          files.push_back(path_of(item));
        else
          draft_.log.add(item.place, fmt::format("'{}' must be a list of names of files", key));
      }
    if (is_needed && files.empty())
      draft_.log.add(node != nullptr ? node->place : map.place, fmt::format("'{}' names no file", key));
    return files;
  }

  // What comes from elsewhere must not make us read elsewhere.
  std::string path_of(const Node& node) {
    std::error_code error;
    const fs::path path = folder_ / node.text;
    if (draft_.source.is_given()) return path.string();  // it has nothing else to give
    const fs::path home = fs::weakly_canonical(folder_.empty() ? fs::path(".") : folder_, error);
    const fs::path real = fs::weakly_canonical(path, error);
    const auto [end, unused] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
    if (error || end != home.end())
      draft_.log.add(node.place, fmt::format("'{}' is not in the folder of the problem", node.text.substr(0, 80)),
                     "put all files of a problem into one folder");
    return path.string();
  }

  Draft& draft_;
  fs::path folder_;
};

}  // namespace

bool is_petab(const Node& root) { return root.kind == Node::Kind::map && root.find("format_version") != nullptr; }

void read_files(Draft& draft, const Node& root) {
  const Node& version = *root.find("format_version");
  FileReader reader(draft);
  if (version.is_text() && (version.text == "1" || version.text == "1.0.0")) {
    draft.version_text = "1";
    reader.read_version_one(root);
  } else if (version.is_text() && (version.text == "2" || version.text.starts_with("2."))) {
    draft.version = Version::two;
    draft.version_text = version.text;
    reader.read_version_two(root);
  } else {
    draft.refuse(fmt::format("version '{}' of PEtab", version.text.substr(0, 40)));
  }
}

}  // namespace salvo::formats::petab
