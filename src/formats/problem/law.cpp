#include <fmt/format.h>

#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Distribution;
using model::Observable;
using yaml::Node;

// "student-t(4)": a word and, in parentheses, what belongs to it.
struct NamedLaw {
  std::string word{};
  std::string argument{};
  int argument_column = 1;
  bool has_argument = false;
};

NamedLaw split(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')') return {.word = text};
  std::size_t end = open;
  while (end > 0 && text[end - 1] == ' ') --end;
  return {.word = text.substr(0, end),
          .argument = text.substr(open + 1, text.size() - open - 2),
          .argument_column = static_cast<int>(open) + 2,
          .has_argument = true};
}

void read_shape(Draft& draft, const Node& node, const NamedLaw& law, Observable& observable) {
  const std::optional<double> nu = parse_number(law.argument);
  if (nu && *nu > 0 && *nu <= 1e6)
    observable.shape = *nu;
  else
    draft.log.add(node.place,
                  fmt::format("student-t of {} needs its degrees of freedom, a positive number", observable.id),
                  "write student-t(4); the fewer, the more outliers are expected");
}

void read_dispersion(Draft& draft, const Node& node, const NamedLaw& law, Observable& observable) {
  if (!law.has_argument || law.argument.empty()) {
    draft.log.add(node.place, fmt::format("negative-binomial of {} needs its dispersion k", observable.id),
                  "write negative-binomial(k); k is a number or a parameter, the variance is mean + mean^2/k");
    return;
  }
  const std::string what = fmt::format("the dispersion of {}", observable.id);
  const auto k = read_formula(draft, FormulaText{&node, law.argument, law.argument_column}, what, everything());
  if (!k) return;
  const expression::Graph& graph = draft.problem.graph;
  if (graph.is_constant(*k) && !(graph[*k].value > 0))
    draft.log.add(node.place, fmt::format("{} must be positive, but is {}", what, number_text(graph[*k].value)));
  else
    observable.noise = *k;
}

}  // namespace

void read_law(Draft& draft, const Node& node, Observable& observable) {
  const std::string what(model::Names<Distribution>::what);
  const std::optional<std::string> text = read_text(draft, node, "the " + what);
  if (!text) return;
  const NamedLaw law = split(*text);
  const std::optional<Distribution> choice = model::from_name<Distribution>(law.word);
  if (!choice) {
    draft.log.add(node.place, fmt::format("unknown {} '{}'", what, law.word),
                  hint_for_unknown(law.word, model::known_names<Distribution>()));
    return;
  }
  observable.distribution = *choice;
  const bool has_noise = observable.noise.has_value();
  if (*choice == Distribution::student_t)
    read_shape(draft, node, law, observable);
  else if (*choice == Distribution::negative_binomial)
    read_dispersion(draft, node, law, observable);
  else if (law.has_argument)
    draft.log.add(node.place, fmt::format("the distribution {} takes nothing in parentheses", law.word));
  if (has_noise && model::is_count(*choice))
    draft.log.add(node.place,
                  fmt::format("{} is a count ({}), whose scatter follows from its mean; it takes no noise",
                              observable.id, law.word),
                  "remove the noise");
}

}  // namespace salvo::formats
