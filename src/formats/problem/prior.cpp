#include "formats/problem/prior.hpp"

#include <fmt/format.h>

#include <vector>

#include "formats/prior_law.hpp"
#include "formats/problem/values.hpp"
#include "model/prior.hpp"

namespace salvo::formats {
namespace {

using model::PriorLaw;
using yaml::Node;

constexpr const char* form_hint = "write normal(0, 1), gamma(2, 0.5), exponential(3) or {normal: [0, 1], on: scale}";

// What a file says of a law.
struct LawText {
  PriorLaw law = PriorLaw::normal;
  std::vector<double> numbers{};
  bool on_scale = false;
  bool within_bounds = false;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

class LawReader {
 public:
  LawReader(Draft& draft, const Node& node, const std::string& what) : draft_(draft), node_(node), what_(what) {}

  std::optional<LawText> read() {
    switch (node_.kind) {
      case Node::Kind::scalar:
      case Node::Kind::torn: return checked(read_call());  // no formula: the comma can mean nothing else
      case Node::Kind::map: return checked(read_map());
      case Node::Kind::broken: return std::nullopt;
      case Node::Kind::null:
      case Node::Kind::sequence: break;
    }
    return fail(node_.place, fmt::format("{} cannot be read: it is {}", what_, kind_in_words(node_)), form_hint);
  }

 private:
  std::nullopt_t fail(Place place, const std::string& message, const std::string& hint = {}) {
    draft_.log.add(place, message, hint);
    return std::nullopt;
  }

  std::optional<LawText> checked(std::optional<LawText> law) {
    if (!law) return law;
    if (const std::string trouble = trouble_with(law->law, law->numbers); !trouble.empty())
      return fail(node_.place, fmt::format("{}: {}", what_, trouble), form_hint);
    if (law->on_scale && model::is_positive(law->law))
      return fail(node_.place,
                  fmt::format("{}: a law '{}' is of the value, not of its scale", what_, to_string(law->law)),
                  "leave 'on' out");
    return law;
  }

  // "gamma(2, 0.5)"
  std::optional<LawText> read_call() {
    const std::string_view text = trim(node_.text);
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || text.back() != ')') return unreadable(text);
    const std::string_view word = trim(text.substr(0, open));
    const std::optional<PriorLaw> law = model::from_name<PriorLaw>(word);
    if (!law)
      return fail(node_.place, fmt::format("{} has an unknown law '{}'", what_, word),
                  hint_for_unknown(word, model::known_names<PriorLaw>()));
    LawText out{.law = *law};
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      const std::optional<double> number = parse_number(trim(rest.substr(0, comma)));
      if (!number) return unreadable(text);
      out.numbers.push_back(*number);
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
    if (static_cast<int>(out.numbers.size()) != count_of_numbers(*law)) return unreadable(text);
    return out;
  }
  std::nullopt_t unreadable(std::string_view text) {
    return fail(node_.place, fmt::format("{} cannot be read: '{}'", what_, text.substr(0, 40)), form_hint);
  }

  std::optional<LawText> read_map() {
    std::vector<std::string> known = model::known_names<PriorLaw>();
    known.insert(known.end(), {"on", "within"});
    check_options(draft_, node_, what_, known);
    const Node* numbers = nullptr;
    LawText out;
    for (const yaml::Entry& entry : node_.entries)
      if (const auto law = model::from_name<PriorLaw>(entry.key.text)) {
        if (numbers != nullptr) draft_.log.add(entry.key.place, fmt::format("{} has two laws", what_), "keep one");
        numbers = &entry.value;
        out.law = *law;
      }
    const std::optional<bool> on_scale = read_word("on", "value", "scale");
    const std::optional<bool> within = read_word("within", "everything", "bounds");
    if (!on_scale || !within) return std::nullopt;
    out.on_scale = *on_scale;
    out.within_bounds = *within;
    if (numbers == nullptr) return fail(node_.place, fmt::format("{} needs a law and its numbers", what_), form_hint);
    if (!read_numbers(*numbers, out.numbers)) return std::nullopt;
    return out;
  }

  // Whether the option is the second of its two words; the first where it is not stated.
  std::optional<bool> read_word(const std::string& option, std::string_view first, std::string_view second) {
    const Node* node = node_.find(option);
    if (node == nullptr) return false;
    const std::optional<std::string> word = read_text(draft_, *node, fmt::format("'{}' of {}", option, what_));
    if (!word) return std::nullopt;
    if (*word == first || *word == second) return *word == second;
    return fail(node->place, fmt::format("{} cannot be {} '{}'", what_, option, *word),
                fmt::format("known: {}, {}", first, second));
  }

  bool read_numbers(const Node& node, std::vector<double>& numbers) {
    const bool is_list = node.kind == Node::Kind::sequence;
    for (std::size_t i = 0; i < (is_list ? node.items.size() : 1); ++i) {
      const auto number = read_number(draft_, is_list ? node.items[i] : node, "a number of " + what_);
      if (!number) return false;
      numbers.push_back(*number);
    }
    return true;
  }

  Draft& draft_;
  const Node& node_;
  const std::string& what_;
};

}  // namespace

std::optional<model::Prior> read_prior(Draft& draft, const Node& node, const std::string& what,
                                       model::Estimated& estimated) {
  const std::optional<LawText> law = LawReader(draft, node, what).read();
  if (!law) return std::nullopt;
  model::Prior prior = make_prior(law->law, law->numbers);
  prior.on_scale = law->on_scale;
  if (law->within_bounds && !cut_at_bounds(prior, estimated)) {
    draft.log.add(node.place, fmt::format("{} has nothing between the bounds", what), "widen the bounds");
    return std::nullopt;
  }
  keep_within(prior, estimated);
  return prior;
}

std::optional<model::StartLaw> read_start_law(Draft& draft, const Node& node, const std::string& what) {
  const std::optional<LawText> law = LawReader(draft, node, what).read();
  if (!law) return std::nullopt;
  model::Prior prior = make_prior(law->law, law->numbers);
  prior.on_scale = law->on_scale;
  const std::optional<model::StartLaw> start = start_law(prior);
  if (!start)
    draft.log.add(node.place, fmt::format("{} cannot be drawn from a law '{}'", what, model::to_string(law->law)),
                  "known: uniform, normal, laplace, log-normal, log-laplace");
  return start;
}

}  // namespace salvo::formats
