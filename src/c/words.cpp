#include "c/words.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/words.hpp"
#include "options/door.hpp"
#include "report/foreign_json.hpp"

namespace salvo::c {
namespace {

using options::FitWords;
using options::SimulateWords;
using options::usage_issue;
using options::Word;
using report::Json;
using Texts = std::vector<std::string>;

// The options of the program by name, and where their words are kept.
using Place = std::variant<Word*, Texts*, bool*>;
using Places = std::map<std::string, Place>;

void add_integrator(Places& places, options::IntegratorArguments& words) {
  places.insert({{"integrator", &words.integrator}, {"rtol", &words.rtol}, {"atol", &words.atol}});
}

Places of_objective(FitWords& words) {
  Places places{{"fix", &words.fix},   {"guess", &words.guess},   {"from", &words.from},
                {"only", &words.only}, {"memory", &words.memory}, {"cells", &words.cells}};
  add_integrator(places, words.integrator);
  return places;
}

Places of_fit(FitWords& words) {
  Places places = of_objective(words);
  places.insert({{"method", &words.method},
                 {"derivatives", &words.derivatives},
                 {"nodes", &words.nodes},
                 {"start", &words.start},
                 {"until", &words.until},
                 {"max-iterations", &words.max_iterations},
                 {"tolerance", &words.tolerance},
                 {"max-time", &words.max_time},
                 {"effort", &words.effort},
                 {"intervals", &words.intervals},
                 {"starts", &words.starts},
                 {"seed", &words.seed},
                 {"threads", &words.threads},
                 {"out", &words.out},
                 {"accept-grid-error", &words.accept_grid_error},
                 {"profiles", &words.profiles}});
  return places;
}

Places of_simulation(SimulateWords& words) {
  Places places{{"at", &words.at},
                {"until", &words.until},
                {"places", &words.places},
                {"cells", &words.cells},
                {"parameters", &words.values.parameters},
                {"from", &words.values.from}};
  add_integrator(places, words.integrator);
  return places;
}

std::optional<std::string> text_of_scalar(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_number()) return value.dump();
  return std::nullopt;
}

// "p1=0.5": what would read as more than one assignment is none.
std::optional<std::string> assignment(const std::string& name, const Json& value) {
  const auto text = text_of_scalar(value);
  const bool is_one = text && name.find_first_of(",=") == std::string::npos && text->find(',') == std::string::npos;
  return is_one ? std::optional(name + "=" + *text) : std::nullopt;
}

// As it would be typed; nothing if it could not be. An empty list is no answer to anything.
std::optional<std::string> typed(const Json& value) {
  if (!value.is_structured()) return text_of_scalar(value);
  if (value.empty() && value.is_array()) return std::nullopt;
  std::string text;
  for (const auto& [name, entry] : value.items()) {
    const auto part = value.is_object() ? assignment(name, entry) : text_of_scalar(entry);
    if (!part) return std::nullopt;
    text += (text.empty() ? "" : ",") + *part;
  }
  return text;
}

Issue not_a_word(const std::string& name, const Json& value) {
  return usage_issue(
      fmt::format("'{}' wants a text, a number, a list of these, or an object with a number for each "
                  "name, not {}",
                  name, value.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

// Into a text, several texts, or whether it is so.
struct Put {
  const std::string& name;
  const Json& value;
  Issues& issues;

  void operator()(bool* flag) const {
    if (value.is_boolean()) *flag = value.get<bool>();
    if (!value.is_boolean()) issues.push_back(usage_issue(fmt::format("'{}' wants true or false", name)));
  }
  void operator()(Word* word) const {
    if (auto text = typed_or_complaint()) *word = std::move(text);
  }
  void operator()(Texts* texts) const {
    if (auto text = typed_or_complaint()) texts->push_back(std::move(*text));
  }
  std::optional<std::string> typed_or_complaint() const {
    if (value.is_object() && value.empty()) return std::nullopt;
    auto text = typed(value);
    if (!text) issues.push_back(not_a_word(name, value));
    return text;
  }
};

Issue unknown_option(const std::string& name, const Places& places) {
  Texts known;
  for (const auto& [option, place] : places) known.push_back(option);
  return usage_issue(fmt::format("unknown option '{}'", name),
                     name == "data" ? "salvo_read takes a table in place of the one in the problem file"
                                    : hint_for_unknown(name, known));
}

Issues read_into(const Places& places, const char* json) {
  if (json == nullptr || *json == '\0') return {};
  const Json object = report::parse_foreign(json);
  if (!object.is_object())
    return {usage_issue("the options are not a JSON object", "as in {\"starts\": 20, \"guess\": {\"k\": 0.5}}")};
  Issues issues;
  for (const auto& [name, value] : object.items()) {
    const auto found = places.find(name);
    if (found == places.end())
      issues.push_back(unknown_option(name, places));
    else if (!value.is_null())
      std::visit(Put{name, value, issues}, found->second);
  }
  return issues;
}

// The words, or what is wrong with them.
template <class Words>
Result<Words> read(const char* json, Places (*places)(Words&)) {
  Words words;
  Issues issues = read_into(places(words), json);
  if (!issues.empty()) return issues;
  return words;
}

}  // namespace

Result<FitWords> fit_words(const char* json) { return read(json, of_fit); }
Result<FitWords> objective_words(const char* json) { return read(json, of_objective); }
Result<SimulateWords> simulate_words(const char* json) { return read(json, of_simulation); }

}  // namespace salvo::c
