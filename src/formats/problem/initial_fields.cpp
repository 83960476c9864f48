#include "formats/problem/initial_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/words.hpp"
#include "formats/problem/cells.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/knots.hpp"
#include "formats/problem/named_file.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using csv::Row;
using model::Field;
using model::InitialField;
using yaml::Node;

constexpr const char* ways = "write a formula of x, {data: start.csv, position: x, column: u}, or {knots: 5, guess: 1}";

struct Rows {
  std::vector<double> position{};
  std::vector<double> value{};
};

// One column of a table over positions, for each experiment where the table names them.
class ProfileReader {
 public:
  ProfileReader(const Draft& draft, std::string position, std::string column, IssueLog& log)
      : position_name_(std::move(position)),
        column_name_(std::move(column)),
        log_(log),
        cells_(draft, log, "leave out rows without a value: what lies between others is interpolated") {}

  // By experiment; of a table without that column all are under the empty name.
  std::map<std::string, Rows> read(const TextFile& table) {
    csv::read_rows(
        table, csv::style_for(table), log_, [&](const Row& header) { read_header(header); },
        [&](const Row& row) { read_row(row); });
    cells_.tell();
    if (log_.empty() && rows_.empty()) log_.add({1, 1}, "the table has no rows", "add a row for each position");
    return std::move(rows_);
  }

 private:
  std::optional<std::size_t> needed(const Row& header, const std::string& name) {
    const auto column = csv::column_of(header, name);
    if (column) return column;
    std::vector<std::string> names;
    for (const Cell& cell : header) names.push_back(cell.text);
    log_.add(header[0].place, fmt::format("the column '{}' is missing", name), hint_for_unknown(name, names));
    return std::nullopt;
  }

  void read_header(const Row& header) {
    position_ = needed(header, position_name_);
    value_ = needed(header, column_name_);
    experiment_ = csv::column_of(header, "experiment");
  }

  void read_row(const Row& row) {
    if (!position_ || !value_) return;
    const auto position = cells_.finite(row[*position_], "the position");
    const auto value = cells_.finite(row[*value_], fmt::format("the value of '{}'", column_name_));
    if (!position || !value) return;
    Rows& rows = rows_[experiment_ ? row[*experiment_].text : std::string()];
    if (!rows.position.empty() && !(rows.position.back() < *position)) {
      const bool is_same = rows.position.back() == *position;
      cells_.repeated().add(is_same ? "repeated" : "unsorted", row[*position_].place,
                            is_same ? fmt::format("the position {} is there twice", row[*position_].text)
                                    : fmt::format("the position {} is before the one above it, {}",
                                                  row[*position_].text, number_text(rows.position.back())),
                            is_same ? "a field begins with one value at a place; write the mean of several"
                                    : "sort the rows by position");
      return;
    }
    rows.position.push_back(*position);
    rows.value.push_back(*value);
  }

  std::string position_name_, column_name_;
  IssueLog& log_;
  CellReader cells_;
  std::optional<std::size_t> position_, value_, experiment_;
  std::map<std::string, Rows> rows_;
};

class InitialFieldReader {
 public:
  InitialFieldReader(Draft& draft, const Node& root) : draft_(draft), root_(root) {}

  void run() {
    auto& experiments = draft_.problem.experiments;
    for (std::size_t e = 0; e < experiments.size(); ++e)
      for (const Field& field : std::vector<Field>(draft_.problem.fields))
        experiments[e].initial_fields.push_back(of(e, field).value_or(draft_.problem.graph.constant(0)));
  }

 private:
  const Node* own_section(std::size_t experiment) const {
    const Node* section = root_.find("experiments");
    const std::string& id = draft_.problem.experiments[experiment].id;
    const Node* own = section != nullptr ? section->find(id) : nullptr;
    return own != nullptr ? own->find("initial") : nullptr;
  }

  std::optional<InitialField> of(std::size_t experiment, const Field& field) {
    const Node* node = nullptr;
    if (const Node* own = own_section(experiment)) node = own->find(field.id);
    const Node* section = root_.find("initial");
    if (node == nullptr && section != nullptr) node = section->find(field.id);
    if (node != nullptr && node->kind != Node::Kind::null) return read(*node, experiment, field);
    const Place place = node != nullptr ? node->place : draft_.find(field.id)->place;
    if (missing_.insert(field.id).second)
      draft_.log.add(place, fmt::format("nothing says where the field {} begins", field.id),
                     fmt::format("in the section 'initial', {}", ways));
    return std::nullopt;
  }

  std::optional<InitialField> read(const Node& node, std::size_t experiment, const Field& field) {
    const std::string what = fmt::format("the initial field {}", field.id);
    if (node.kind != Node::Kind::map) return read_formula_once(node, what);
    if (node.find("data") != nullptr) return read_table(node, experiment, field, what);
    if (node.find("knots") != nullptr) return read_knots(draft_, node, field, experiment);
    if (told_.insert(&node).second)
      draft_.log.add(node.place, fmt::format("{} is a map without 'data' and 'knots'", what), ways);
    return std::nullopt;
  }

  std::optional<InitialField> read_formula_once(const Node& node, const std::string& what) {
    auto found = formulas_.find(&node);
    if (found == formulas_.end()) {
      Scope scope = parameters_and_initial_values();
      scope.initial_values = false;
      scope.space = scope.at_each_place = true;
      found = formulas_.emplace(&node, read_formula(draft_, node, what, scope)).first;
    }
    return found->second ? std::optional<InitialField>(*found->second) : std::nullopt;
  }

  std::optional<InitialField> read_table(const Node& node, std::size_t experiment, const Field& field,
                                         const std::string& what) {
    auto found = tables_.find(&node);
    if (found == tables_.end()) found = tables_.emplace(&node, read_tables(node, field, what)).first;
    const Tables& tables = found->second;
    const std::string& id = draft_.problem.experiments[experiment].id;
    for (const std::string& name : {std::string(), id})
      if (const auto table = tables.find(name); table != tables.end()) return InitialField(table->second);
    if (!tables.empty())
      draft_.log.add(node.place, fmt::format("the table of {} has no rows of experiment '{}'", what, id),
                     "add a row for each position");
    return std::nullopt;
  }

  using Tables = std::map<std::string, std::shared_ptr<const model::PositionTable>>;

  Tables read_tables(const Node& node, const Field& field, const std::string& what) {
    check_options(draft_, node, what, std::vector<std::string>{"data", "position", "column"});
    if (draft_.problem.space.size() != 1) {
      draft_.log.add(node.place, fmt::format("{} comes from a table, which has one coordinate", what),
                     "on a rectangle, write a formula of x and y");
      return {};
    }
    const auto text = [&](const char* option, std::string otherwise) {
      const Node* its = node.find(option);
      if (its == nullptr) return otherwise;
      return read_text(draft_, *its, fmt::format("'{}' of {}", option, what)).value_or(otherwise);
    };
    const std::string position = text("position", draft_.problem.space[0].id);
    const std::string column = text("column", field.id);
    const Node& name = *node.find("data");
    if (!read_text(draft_, name, "'data' (the name of a file)")) return {};
    const std::optional<TextFile> file = read_named_file(draft_, name, "the table of " + what);
    if (!file) return {};
    IssueLog log(file->name);
    std::map<std::string, Rows> rows = ProfileReader(draft_, position, column, log).read(*file);
    add_issues_of_file(draft_, *file, log);
    if (!log.empty()) return {};
    Tables tables;
    for (auto& [id, its] : rows) {
      warn_of_ends(name, its, what);
      tables[id] = std::make_shared<const model::PositionTable>(std::move(its.position), std::move(its.value));
    }
    return tables;
  }

  // Beyond its ends a table holds its last value; half a domain without measurements is worth a word.
  void warn_of_ends(const Node& name, const Rows& rows, const std::string& what) {
    constexpr double worth_telling = 0.1;  // of the domain
    const model::Space& space = draft_.problem.space[0];
    const double left = rows.position.front() - space.from;
    const double right = space.to - rows.position.back();
    if (std::max(left, right) <= worth_telling * (space.to - space.from)) return;
    draft_.warn(name.place,
                fmt::format("the table of {} reaches from {} to {}, and space from {} to {}: beyond its ends the last "
                            "value holds",
                            what, number_text(rows.position.front()), number_text(rows.position.back()),
                            number_text(space.from), number_text(space.to)),
                "add rows up to the ends of space");
  }

  Draft& draft_;
  const Node& root_;
  std::set<std::string> missing_;
  std::set<const Node*> told_;
  std::map<const Node*, std::optional<NodeId>> formulas_;
  std::map<const Node*, Tables> tables_;
};

}  // namespace

void read_initial_fields(Draft& draft, const Node& root) {
  if (draft.problem.fields.empty() || draft.problem.space.empty()) return;
  InitialFieldReader(draft, root).run();
}

}  // namespace salvo::formats
