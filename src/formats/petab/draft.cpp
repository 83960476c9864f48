#include "formats/petab/draft.hpp"

#include <fmt/format.h>

#include "base/words.hpp"
#include "expression/parse.hpp"

namespace salvo::formats::petab {

using expression::no_node;

void Draft::add(const Table& table, const Row& row, int column, const std::string& message, const std::string& hint) {
  const Place place = table.place(row, column);
  log.add(
      {.file = table.files[row.file], .line = place.line, .column = place.column, .message = message, .hint = hint});
}

void Draft::refuse(const std::string& feature) {
  for (const Issue& known : unsupported)
    if (known.message == feature) return;
  unsupported.push_back({.kind = Issue::Kind::unsupported, .file = log.file(), .message = feature, .is_feature = true});
}

int Draft::quantity(const std::string& id) const {
  const auto mapped = model_names.find(id);
  return model.find(mapped == model_names.end() ? id : mapped->second);
}

NodeId Draft::symbol(const std::string& id) {
  if (id == "time") return model.time;
  if (parameter_ids.contains(id)) return model.graph.symbol(id);
  if (const int index = quantity(id); index >= 0) return model.quantities[index].symbol;
  for (const sbml::Reaction& reaction : model.reactions)
    if (reaction.id == id) return reaction.symbol;
  return no_node;
}

NodeId Draft::formula(const Table& table, const Row& row, int column, const std::string& what,
                      const std::map<std::string, NodeId>& others) {
  const auto parsed = expression::parse(model.graph, table.text(row, column));
  if (const auto* error = std::get_if<expression::ParseError>(&parsed)) {
    add(table, row, column, fmt::format("{} in {}", error->message, what), error->hint);
    return no_node;
  }
  const auto& read = std::get<expression::Formula>(parsed);
  if (!read.delays.empty()) {
    add(table, row, column, fmt::format("earlier values in {}: formulas of PEtab have no delay", what),
        "write it into the model, as an assignment rule with csymbol delay");
    return no_node;
  }
  std::vector<NodeId> from;
  std::vector<NodeId> to;
  bool all_known = true;
  for (const expression::NameUse& use : read.names) {
    const auto other = others.find(use.name);
    const NodeId node = other != others.end() ? other->second : symbol(use.name);
    if (node == no_node) {
      all_known = false;
      add(table, row, column, fmt::format("unknown name '{}' in {}", use.name, what),
          "it is neither in the model nor in the parameter table");
      continue;
    }
    from.push_back(model.graph.symbol(use.name));
    to.push_back(node);
  }
  return all_known ? expression::substitute(model.graph, {&read.node, 1}, from, to)[0] : no_node;
}

NodeId Draft::number_or_name(const Table& table, const Row& row, int column, const std::string& text,
                             const std::string& what) {
  if (const auto number = parse_number(text)) return model.graph.constant(*number);
  const NodeId node = symbol(text);
  if (node == no_node)
    add(table, row, column,
        fmt::format("{} must be a number or the name of a parameter, but is '{}'", what, text.substr(0, 60)),
        text.find(',') != std::string::npos ? "a decimal comma? write 1.5, not 1,5"
                                            : "is it missing in the parameter table?");
  return node;
}

}  // namespace salvo::formats::petab
