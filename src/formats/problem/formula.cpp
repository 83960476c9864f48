#include "formats/problem/formula.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "formats/dates.hpp"
#include "formats/problem/delays.hpp"
#include "formats/problem/fields.hpp"
#include "formats/problem/values.hpp"
#include "formats/yaml/read.hpp"

namespace salvo::formats {
namespace {

using expression::NameUse;
using yaml::Node;

// The name that stands for initial(x1) while a formula is read, of the same length so that columns stay true.
std::string initial_value_name(const std::string& state) { return "initial_" + state + "_"; }

std::string with_initial_values_as_names(std::string text) {
  constexpr std::string_view call = "initial(";
  constexpr std::string_view blanks = " \t\n";
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
    const std::size_t end = text.find(')', at);
    if (end == std::string::npos) break;
    const std::size_t begin = text.find_first_not_of(blanks, at + call.size());
    const std::string name = text.substr(begin, text.find_last_not_of(blanks, end - 1) + 1 - begin);
    if (!expression::is_name(name)) continue;
    std::string replacement = initial_value_name(name);
    replacement.resize(end + 1 - at, ' ');
    text.replace(at, replacement.size(), replacement);
  }
  return text;
}

// 1978-01-27 becomes _19780127_, of the same length: as a difference of numbers nobody means it.
constexpr std::size_t date_length = 10;

std::string with_dates_as_names(std::string text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  const auto is_part_of_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_' || text[i] == '.');
  };
  for (std::size_t at = 0; at + date_length <= text.size(); ++at) {
    bool is_date = (at == 0 || !is_part_of_word(at - 1)) && !is_part_of_word(at + date_length);
    for (std::size_t i = 0; i < date_length && is_date; ++i)
      is_date = i == 4 || i == 7 ? text[at + i] == '-' : is_digit(at + i);
    if (!is_date || !parse_date(text.substr(at, date_length))) continue;
    const std::string digits = text.substr(at, 4) + text.substr(at + 5, 2) + text.substr(at + 8, 2);
    text.replace(at, date_length, "_" + digits + "_");
  }
  return text;
}

// The date that such a name stands for; empty for other names.
std::string date_in(const std::string& name) {
  if (name.size() != date_length || name.front() != '_' || name.back() != '_') return {};
  const std::string date = name.substr(1, 4) + "-" + name.substr(5, 2) + "-" + name.substr(7, 2);
  return parse_date(date) ? date : std::string{};
}

// Checks the names of one formula and collects what is to be put in for them.
class NameResolver {
 public:
  NameResolver(Draft& draft, const Scope& scope, const std::string& what, IssueLog& log,
               const std::function<Place(int column)>& place_of)
      : draft_(draft), scope_(scope), what_(what), log_(log), place_of_(place_of) {}

  bool resolve(const NameUse& use) {
    const std::string& name = use.name;
    column_ = use.column;
    if (name == "t" || name == "time") return resolve_time(name);
    if (const Name* state = state_of_initial_value(name)) return resolve_initial_value(name, *state);
    if (const Name* known = draft_.find(name)) return resolve_known(name, *known);
    if (const std::string date = date_in(name); !date.empty()) return resolve_date(name, date);
    if (name == "pi") return replace(name, draft_.problem.graph.constant(std::numbers::pi));
    if (name == "e") return replace(name, draft_.problem.graph.constant(std::numbers::e));
    if (!draft_.all_names_known) return false;
    if (const std::string state = inside_initial(name); !state.empty())
      return complain(fmt::format("'{}' in initial({}) is not a state", state, state),
                      [&] { return hint_for_unknown(state, draft_.names_of(Name::Kind::state)); });
    return complain(fmt::format("unknown name '{}' in {}", name, what_),
                    [&] { return hint_for_unknown(name, usable_names()); });
  }

  NodeId put_in(NodeId node) {
    return from_.empty() ? node : expression::substitute(draft_.problem.graph, {&node, 1}, from_, to_)[0];
  }

 private:
  // A place takes a walk along the formula, and a hint one over all names: of a hundred thousand mistakes only those
  // that can be shown are worth it.
  bool complain(std::string message, const auto& hint) {
    if (told_++ < most_issues_shown)
      log_.add(place_of_(column_), std::move(message), log_.issues().size() < most_issues_shown ? hint() : "");
    else
      log_.leave_out();
    return false;
  }
  bool refuse(const std::string& why) {
    return complain(fmt::format("{} cannot be used in {}", why, what_), [&] { return refusal_hint(); });
  }

  std::string refusal_hint() const {
    if (scope_.initial_values && !scope_.states)
      return fmt::format("it may use numbers, parameters, {}initial(state), and definitions of parameters",
                         scope_.inputs ? "inputs, " : "");
    if (scope_.initial_values) return "it may use parameters, states, initial(state), and definitions of these alone";
    if (!scope_.states) return "it may use numbers, parameters, and definitions of these alone";
    return scope_.own_id.empty() ? "it may use states, parameters, definitions and time"
                                 : "it may use states, parameters, definitions, time and the observable itself";
  }

  bool replace(const std::string& name, NodeId node) {
    from_.push_back(draft_.problem.graph.symbol(name));
    to_.push_back(node);
    return true;
  }

  bool resolve_time(const std::string& name) {
    if (!scope_.time) return refuse("time");
    return replace(name, draft_.problem.time);
  }

  bool resolve_date(const std::string& name, const std::string& date) {
    if (draft_.calendar)
      return replace(name, draft_.problem.graph.constant(time_of(*draft_.calendar, *parse_date(date))));
    return complain(fmt::format("{} in {} is a date", date, what_), [&] {
      return fmt::format("say in which unit dates count and from when: time: {{unit: day, from: {}}}", date);
    });
  }

  bool resolve_known(const std::string& name, const Name& known) {
    switch (known.kind) {
      case Name::Kind::parameter: return true;
      case Name::Kind::state: return scope_.states || refuse(fmt::format("the state '{}'", name));
      case Name::Kind::input: return scope_.inputs || refuse(fmt::format("the input '{}'", name));
      case Name::Kind::definition: return resolve_definition(draft_.definitions[static_cast<std::size_t>(known.index)]);
      case Name::Kind::observable:
        if (name != scope_.own_id) return refuse(fmt::format("the observable '{}'", name));
        return scope_.own_formula == expression::no_node || replace(name, scope_.own_formula);
      case Name::Kind::algebraic: return scope_.states || refuse(fmt::format("the algebraic variable '{}'", name));
      case Name::Kind::derived: return refuse(fmt::format("the derived quantity '{}'", name));
      case Name::Kind::field: return scope_.states || refuse(fmt::format("the field '{}'", name));
      case Name::Kind::coordinate: return scope_.space || refuse(fmt::format("the coordinate '{}'", name));
    }
    return false;
  }

  bool resolve_definition(const Definition& definition) {
    const Traits& its = definition.traits;
    const char* what = its.uses_states && !scope_.states   ? "states"
                       : its.uses_time && !scope_.time     ? "time"
                       : its.uses_inputs && !scope_.inputs ? "inputs"
                       : its.uses_delays && !scope_.delays ? "earlier values"
                       : its.uses_space && !scope_.space   ? "coordinates"
                                                           : nullptr;
    if (what != nullptr) return refuse(fmt::format("the definition '{}', which depends on {},", definition.id, what));
    return definition.node == expression::no_node || replace(definition.id, definition.node);
  }

  // x1 for the name that stands for initial(x1); nothing for others.
  std::string inside_initial(const std::string& name) const {
    const std::string empty = initial_value_name("");
    const std::size_t prefix = empty.size() - 1;
    if (!scope_.initial_values || name.size() <= empty.size()) return {};
    const std::string state = name.substr(prefix, name.size() - empty.size());
    return initial_value_name(state) == name ? state : "";
  }
  const Name* state_of_initial_value(const std::string& name) const {
    const Name* known = draft_.find(inside_initial(name));
    return known != nullptr && known->kind == Name::Kind::state ? known : nullptr;
  }
  bool resolve_initial_value(const std::string& name, const Name& state) {
    if (!draft_.is_differential(&state))
      return complain(fmt::format("the initial value of an algebraic variable cannot be used in {}", what_),
                      [] { return std::string("use those of the states from which its equation determines it"); });
    model::State& its = draft_.problem.states[static_cast<std::size_t>(state.index)];
    its.initial = draft_.problem.graph.symbol("initial value of " + its.id);  // no user can write such a name
    return replace(name, its.initial);
  }

  std::vector<std::string> usable_names() const {
    std::vector<std::string> usable;
    for (const auto& [id, name] : draft_.names) {
      const bool is_unknown = name.kind == Name::Kind::state || name.kind == Name::Kind::field;
      if (is_unknown && !scope_.states) continue;
      if (name.kind == Name::Kind::coordinate && !scope_.space) continue;
      if (name.kind == Name::Kind::input && !scope_.inputs) continue;
      if (name.kind == Name::Kind::observable && id != scope_.own_id) continue;
      if (name.kind == Name::Kind::derived) continue;
      usable.push_back(id);
    }
    return usable;
  }

  Draft& draft_;
  const Scope& scope_;
  const std::string& what_;
  IssueLog& log_;
  const std::function<Place(int column)>& place_of_;
  int column_ = 1;  // of the name that is looked at
  std::size_t told_ = 0;
  std::vector<NodeId> from_;
  std::vector<NodeId> to_;
};

// A hint that shows the formula as it should stand is of use as long as it fits on a line or two.
constexpr std::size_t widest_quoted = 200;

}  // namespace

bool is_formula_text(Draft& draft, const Node& node, const std::string& what) {
  switch (node.kind) {
    case Node::Kind::scalar: return true;
    case Node::Kind::broken: return false;
    case Node::Kind::null: draft.log.add(node.place, fmt::format("{} is missing", what)); return false;
    case Node::Kind::torn:
      draft.log.add(node.place, fmt::format("YAML ends a text at a comma here and tears {} apart", what),
                    node.text.size() > widest_quoted ? std::string(yaml::quote_hint)
                                                     : fmt::format("{}: \"{}\"", yaml::quote_hint, node.text));
      return false;
    case Node::Kind::sequence:
    case Node::Kind::map:
      draft.log.add(node.place, fmt::format("{} must be a formula, but YAML reads {}", what, kind_in_words(node)),
                    yaml::quote_hint);
      return false;
  }
  return false;
}

std::optional<NodeId> read_formula(Draft& draft, const Node& node, const std::string& what, const Scope& scope) {
  if (!is_formula_text(draft, node, what)) return std::nullopt;
  return read_formula(draft, FormulaText{.scalar = &node, .text = node.text}, what, scope);
}

std::optional<NodeId> read_formula(Draft& draft, const FormulaText& formula, const std::string& what,
                                   const Scope& scope) {
  const auto place_of = [&](int column) {
    return place_in_scalar(draft.file.text, *formula.scalar, formula.first_column + column - 1);
  };
  return read_formula(draft, scope.initial_values ? with_initial_values_as_names(formula.text) : formula.text, what,
                      scope, draft.log, place_of);
}

std::optional<NodeId> read_formula(Draft& draft, const std::string& text, const std::string& what, const Scope& scope,
                                   IssueLog& log, const std::function<Place(int column)>& place_of) {
  const auto parsed = expression::parse(draft.problem.graph, with_dates_as_names(text));
  if (const auto* error = std::get_if<expression::ParseError>(&parsed)) {
    log.add(place_of(error->column), fmt::format("{} in {}", error->message, what), error->hint);
    return std::nullopt;
  }
  const auto& read = std::get<expression::Formula>(parsed);
  if (read.mixed_logic > 0)
    draft.warn(place_of(read.mixed_logic), fmt::format("{} (in {})", expression::mixed_logic_warning, what),
               "put parentheses around what belongs together");
  NameResolver names(draft, scope, what, log, place_of);
  bool all_known = true;
  for (const NameUse& use : read.names) all_known = names.resolve(use) && all_known;
  if (!all_known) return std::nullopt;
  for (const expression::DelayUse& use : read.delays)
    if (!check_delay(draft, {use, names.put_in(use.of), names.put_in(use.by)}, what, scope, log, place_of(use.column)))
      return std::nullopt;
  const NodeId node = names.put_in(read.node);
  const FormulaCheck check{
      .text = text, .what = what, .derivatives = scope.derivatives_in_space, .log = log, .place_of = place_of};
  if (!check_field_operators(draft, node, check)) return std::nullopt;
  if (!scope.at_each_place && model::open_coordinates(draft.problem, node) != 0) {
    log.add(place_of(1), fmt::format("{} is one number, and this has another value at each place", what),
            "write u(at: 3), mean(u, x) or integral(u, x)");
    return std::nullopt;
  }
  const expression::Graph& graph = draft.problem.graph;
  if (graph.is_constant(node) && !std::isfinite(graph[node].value)) {
    log.add(place_of(1), fmt::format("{} is {}; it must be finite", what, number_text(graph[node].value)));
    return std::nullopt;
  }
  return node;
}

}  // namespace salvo::formats
