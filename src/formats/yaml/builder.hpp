#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/issue_log.hpp"
#include "formats/text_file.hpp"
#include "formats/yaml/node.hpp"

namespace salvo::formats::yaml {

// Listens to the scanner and builds the tree. After a fault that makes the rest meaningless it listens no more.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const TextFile& file) : file_(file), log_(file.name) {}

  bool has_stopped() const { return stopped_; }
  std::optional<Node> take_root() { return std::move(root_); }
  const Issues& issues() const { return log_.issues(); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  struct Open {  // a sequence or map whose end has not come yet
    Node node{};
    YAML::anchor_t anchor = 0;
    bool in_braces = false;
    std::optional<Node> key{};  // of a map: waits for its value
  };

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, bool in_braces);
  void close();
  void add(Node node, YAML::anchor_t anchor);
  void add_to_map(Open& map, Node node);
  void drop_duplicates(Node& map);
  void mend_missing_spaces(Node& map);
  bool is_tagged(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag);
  void stop(Place place, std::string message, std::string hint);

  const TextFile& file_;
  IssueLog log_;
  bool stopped_ = false;
  std::optional<Node> root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchored_;
  std::size_t nodes_by_aliases_ = 0;
};

}  // namespace salvo::formats::yaml
