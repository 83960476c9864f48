#include "formats/problem/prior.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

constexpr const char* form_hint = "write normal(0, 1), laplace(0, 1) or {normal: [0, 1], on: scale}";
const std::vector<std::string> known_laws{"normal", "laplace"};

std::optional<model::PriorLaw> law_of(std::string_view word) {
  if (word == "normal") return model::PriorLaw::normal;
  if (word == "laplace") return model::PriorLaw::laplace;
  return std::nullopt;
}

std::optional<model::Prior> checked(Draft& draft, Place place, const std::string& what, model::Prior prior) {
  if (std::isfinite(prior.location) && std::isfinite(prior.spread) && prior.spread > 0) return prior;
  const bool finite = std::isfinite(prior.location) && std::isfinite(prior.spread);
  draft.log.add(place,
                finite ? fmt::format("the spread of {} must be positive, but is {}", what, number_text(prior.spread))
                       : fmt::format("the numbers of {} must be finite", what));
  return std::nullopt;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<model::Prior> read_call(Draft& draft, const Node& node, const std::string& what) {
  const std::string_view text = trim(node.text);
  const std::size_t open = text.find('(');
  const std::size_t comma = text.find(',');
  const bool has_form =
      open != std::string_view::npos && comma != std::string_view::npos && comma > open && text.back() == ')';
  const std::string_view word = trim(text.substr(0, open));
  const std::optional<model::PriorLaw> law = law_of(word);
  if (has_form && !law) {
    draft.log.add(node.place, fmt::format("{} has an unknown law '{}'", what, word),
                  hint_for_unknown(word, known_laws));
    return std::nullopt;
  }
  const auto location = has_form ? parse_number(trim(text.substr(open + 1, comma - open - 1))) : std::nullopt;
  const auto spread = has_form ? parse_number(trim(text.substr(comma + 1, text.size() - comma - 2))) : std::nullopt;
  if (!location || !spread) {
    draft.log.add(node.place, fmt::format("{} cannot be read: '{}'", what, text.substr(0, 40)), form_hint);
    return std::nullopt;
  }
  return checked(draft, node.place, what, {.law = *law, .location = *location, .spread = *spread});
}

std::optional<bool> read_on(Draft& draft, const Node& node, const std::string& what) {
  const std::optional<std::string> word = read_text(draft, node, "'on' of " + what);
  if (!word) return std::nullopt;
  if (*word == "scale" || *word == "value") return *word == "scale";
  draft.log.add(node.place, fmt::format("{} cannot be on '{}'", what, *word), "known: value, scale");
  return std::nullopt;
}

std::optional<model::Prior> read_map(Draft& draft, const Node& node, const std::string& what) {
  check_options(draft, node, what, std::vector<std::string>{"normal", "laplace", "on"});
  const Node* numbers = nullptr;
  model::Prior prior;
  for (const yaml::Entry& entry : node.entries)
    if (const auto law = law_of(entry.key.text)) {
      if (numbers != nullptr) draft.log.add(entry.key.place, fmt::format("{} has two laws", what), "keep one");
      numbers = &entry.value;
      prior.law = *law;
    }
  if (const Node* on = node.find("on")) {
    const std::optional<bool> on_scale = read_on(draft, *on, what);
    if (!on_scale) return std::nullopt;
    prior.on_scale = *on_scale;
  }
  if (numbers == nullptr || numbers->kind != Node::Kind::sequence || numbers->items.size() != 2) {
    draft.log.add(numbers == nullptr ? node.place : numbers->place, fmt::format("{} needs a law and two numbers", what),
                  form_hint);
    return std::nullopt;
  }
  const auto location = read_number(draft, numbers->items[0], "the location of " + what);
  const auto spread = read_number(draft, numbers->items[1], "the spread of " + what);
  if (!location || !spread) return std::nullopt;
  prior.location = *location;
  prior.spread = *spread;
  return checked(draft, numbers->items[1].place, what, prior);
}

}  // namespace

std::optional<model::Prior> read_prior(Draft& draft, const Node& node, const std::string& what) {
  switch (node.kind) {
    case Node::Kind::scalar:
    case Node::Kind::torn: return read_call(draft, node, what);  // no formula: the comma can mean nothing else
    case Node::Kind::map: return read_map(draft, node, what);
    case Node::Kind::broken: return std::nullopt;
    case Node::Kind::null:
    case Node::Kind::sequence:
      draft.log.add(node.place, fmt::format("{} cannot be read: it is {}", what, kind_in_words(node)), form_hint);
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace salvo::formats
