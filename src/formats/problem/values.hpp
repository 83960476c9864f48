#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/words.hpp"
#include "formats/problem/draft.hpp"
#include "model/choices.hpp"

// Single values of a problem file. Each function adds an Issue and returns nothing if the value is not what it should
// be; `what` names it in the message: "the guess of p1".
namespace salvo::formats {

std::optional<double> read_number(Draft& draft, const yaml::Node& node, const std::string& what);  // may be infinite
std::optional<double> read_finite(Draft& draft, const yaml::Node& node, const std::string& what);
std::optional<double> read_positive(Draft& draft, const yaml::Node& node, const std::string& what);
std::optional<double> read_time(Draft& draft, const yaml::Node& node, const std::string& what);  // a date counts too
std::optional<std::string> read_text(Draft& draft, const yaml::Node& node, const std::string& what);

// `unit` and `label` of an axis; `id`: "conc", or "the time".
model::Axis read_axis(Draft& draft, const yaml::Node& map, const std::string& id);

// Is it a map? Nothing at all counts as an empty one.
bool is_map(Draft& draft, const yaml::Node& node, const std::string& what);
bool is_list(Draft& draft, const yaml::Node& node, const std::string& what);
// An Issue for every key that is not known.
void check_options(Draft& draft, const yaml::Node& map, const std::string& what, std::span<const std::string> known);

// Why a text is not a number, for messages: "'1,5' is not a number", with the hint to write a point.
struct BadNumber {
  std::string message{};
  std::string hint{};
};
BadNumber explain_bad_number(std::string_view text);

std::string kind_in_words(const yaml::Node& node);  // "a list", "a text", ...

template <class Choice>
std::optional<Choice> read_choice(Draft& draft, const yaml::Node& node) {
  const std::string what(model::Names<Choice>::what);
  const std::optional<std::string> word = read_text(draft, node, "the " + what);
  if (!word) return std::nullopt;
  const std::optional<Choice> choice = model::from_name<Choice>(*word);
  if (!choice)
    draft.log.add(node.place, "unknown " + what + " '" + *word + "'",
                  hint_for_unknown(*word, model::known_names<Choice>()));
  return choice;
}

}  // namespace salvo::formats
