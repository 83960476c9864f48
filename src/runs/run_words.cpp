#include "runs/run_words.hpp"

#include <fmt/format.h>

namespace salvo::runs {
namespace {

constexpr const char* kind_name = "run";
constexpr const char* kind_version = "1";

// Everything that is said, under the name that it has on a command line: `word` is called with a Word, `list` with
// words that may be said several times.
template <class Words, class TakeWord, class TakeList>
void visit(Words& words, const TakeWord& word, const TakeList& list) {
  auto& fit = words.fit;
  word("--data", words.data);
  word("--method", fit.method);
  word("--derivatives", fit.derivatives);
  word("--nodes", fit.nodes);
  word("--start", fit.start);
  word("--integrator", fit.integrator.integrator);
  word("--rtol", fit.integrator.rtol);
  word("--atol", fit.integrator.atol);
  list("--guess", fit.guess);
  list("--fix", fit.fix);
  list("--only", fit.only);
  word("--until", fit.until);
  word("--cells", fit.cells);
  word("--max-iterations", fit.max_iterations);
  word("--tolerance", fit.tolerance);
  word("--effort", fit.effort);
  word("--intervals", fit.intervals);
  word("--memory", fit.memory);
  word("--starts", fit.starts);
  word("--seed", fit.seed);
  list("--parameters", words.profile.parameters);
  list("--predict", words.profile.predict);
  word("--level", words.profile.level);
  list("--truth", words.truth);
  word("--replicates", words.replicates);
}

}  // namespace

journal::Line line_of(const RunWords& words) {
  journal::Line line{{kind_name, kind_version, true},
                     {"command", words.command},
                     {"line", words.command_line},
                     {"problem", words.problem}};
  visit(
      words,
      [&](const char* name, const Word& word) {
        if (word) line.push_back({name, *word});
      },
      [&](const char* name, const std::vector<std::string>& texts) {
        for (const std::string& text : texts) line.push_back({name, text});
      });
  if (words.fit.accept_grid_error) line.push_back({"--accept-grid-error", "yes"});
  if (words.fit.profiles) line.push_back({"--profiles", "yes"});
  return line;
}

std::optional<RunWords> words_of(const journal::Line& line) {
  if (line.empty() || line.front().name != kind_name || line.front().value != kind_version) return std::nullopt;
  RunWords words{.command = std::string(journal::value_of(line, "command")),
                 .command_line = std::string(journal::value_of(line, "line")),
                 .problem = std::string(journal::value_of(line, "problem"))};
  std::map<std::string, std::vector<std::string>> said;
  for (const journal::Field& field : line) said[field.name].push_back(field.value);
  visit(
      words,
      [&](const char* name, Word& word) {
        if (said.contains(name)) word = said[name].front();
      },
      [&](const char* name, std::vector<std::string>& texts) { texts = said[name]; });
  words.fit.accept_grid_error = said.contains("--accept-grid-error");
  words.fit.profiles = said.contains("--profiles");
  return words;
}

std::string exactly(const std::map<std::string, double>& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("{}{}={:.17g}", text.empty() ? "" : ",", name, value);
  return text;
}

}  // namespace salvo::runs
