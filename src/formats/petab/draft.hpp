#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/petab/tables.hpp"
#include "formats/sbml/model.hpp"
#include "formats/sbml/resolver.hpp"
#include "formats/sbml/to_problem.hpp"
#include "formats/text_file.hpp"
#include "formats/yaml/node.hpp"
#include "model/problem.hpp"

namespace salvo::formats::petab {

using expression::NodeId;

enum class Version { one, two };

// The files that a problem names, with its folder.
struct Files {
  std::string model{};
  std::vector<std::string> parameters{}, conditions{}, observables{}, measurements{}, experiments{}, mappings{};
};

// A PEtab problem while its files are being read.
struct Draft {
  Draft(const std::string& yaml_file, FileSource& where) : log(yaml_file), source(where) {}

  IssueLog log;
  FileSource& source;
  Issues unsupported{};  // told only if nothing is wrong
  Version version = Version::one;
  std::string version_text{};
  Files files{};
  Table parameters{}, conditions{}, observables{}, measurements{}, experiments{}, mapping{};
  sbml::Model model{};
  std::map<std::string, std::string> model_names{};  // of what the mapping table gives another name
  std::set<std::string> parameter_ids{};             // of the parameter table
  model::Problem problem{};

  void add(const Table& table, const Row& row, int column, const std::string& message, const std::string& hint = {});
  void refuse(const std::string& feature);

  // The quantity of the model that a PEtab name stands for; -1: none.
  int quantity(const std::string& id) const;
  // The node that a name stands for in formulas of tables; none if it is unknown.
  NodeId symbol(const std::string& id);
  // A formula of such names, `others` included; an Issue and none if it cannot be read.
  NodeId formula(const Table& table, const Row& row, int column, const std::string& what,
                 const std::map<std::string, NodeId>& others = {});
  // A number, or the name of a parameter or of something in the model.
  NodeId number_or_name(const Table& table, const Row& row, int column, const std::string& text,
                        const std::string& what);
};

}  // namespace salvo::formats::petab
