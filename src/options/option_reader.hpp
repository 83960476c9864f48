#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/issue.hpp"
#include "base/words.hpp"
#include "estimate/options.hpp"
#include "model/choices.hpp"
#include "model/problem.hpp"
#include "options/arguments.hpp"
#include "options/door.hpp"

namespace salvo::options {

// Each has its place in memory and in the results, whether its turn has come or not.
inline constexpr int most_starts = 100'000;
inline constexpr int most_replicates = 1'000'000;

// What is told where `cvodes` is asked for and cannot be had.
Issue not_built_in();

// Turns the texts of options into values. A text that is missing or wrong gives nothing; what is wrong is collected,
// so that a person sees all of it at once.
class OptionReader {
 public:
  explicit OptionReader(Door door = Door::command_line) : door_(door) {}
  // Times may be dates, where the problem says how these count.
  explicit OptionReader(const model::Problem& problem, Door door = Door::command_line)
      : door_(door), calendar_(problem.calendar) {}

  std::optional<double> number(std::string_view option, const Word& text);     // finite
  std::optional<double> positive(std::string_view option, const Word& text);   // finite and above 0
  std::optional<double> duration(std::string_view option, const Word& text);   // 90, or 3h50m, in seconds
  std::optional<double> megabytes(std::string_view option, const Word& word);  // as bytes
  std::optional<double> between(std::string_view option, const Word& text, double least, double most);
  std::optional<int> count(std::string_view option, const Word& text, int least,
                           int most = std::numeric_limits<int>::max());
  std::optional<std::uint64_t> seed(std::string_view option, const Word& text);
  std::optional<std::vector<double>> times(std::string_view option, const Word& text);
  std::optional<double> time(std::string_view option, const Word& text);
  std::optional<model::Nodes> nodes(std::string_view option, const Word& text);
  static std::vector<std::string> list(std::span<const std::string> texts);  // "low,high", several times over
  // "p1=0.5,x1=0.4", several times over
  std::map<std::string, double> assignments(std::string_view option, std::span<const std::string> texts);
  // The integrator of the file with what the command line says otherwise; nothing if it says nothing.
  std::optional<model::Integrator> integrator(const IntegratorArguments& arguments, const model::Integrator& of_file);
  // ... and able to integrate the problem.
  std::optional<model::Integrator> integrator(const IntegratorArguments& arguments, const model::Problem& problem);

  template <class Choice>
  std::optional<Choice> choice(std::string_view option, const Word& text) {
    if (!text) return std::nullopt;
    const auto value = model::from_name<Choice>(*text);
    if (!value) complain_about_word(option, *text, model::known_names<Choice>());
    return value;
  }

  std::optional<estimate::Intervals> intervals(std::string_view option, const Word& text);

  const Issues& issues() const { return issues_; }
  bool is_content() const { return issues_.empty(); }

 private:
  void complain(std::string_view option, std::string_view wants, std::string_view text);
  void complain_about_word(std::string_view option, std::string_view text, std::span<const std::string> known);
  void set_tolerances(model::Integrator& integrator, const IntegratorArguments& arguments);

  std::string named(std::string_view option) const { return spelled(door_, option); }

  Door door_ = Door::command_line;
  std::optional<model::Calendar> calendar_{};
  Issues issues_;
};

}  // namespace salvo::options
