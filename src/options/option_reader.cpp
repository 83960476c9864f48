#include "options/option_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "fit/built_in.hpp"
#include "formats/dates.hpp"
#include "model/algebraic.hpp"
#include "model/delays.hpp"
#include "model/faults.hpp"

namespace salvo::options {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator, begin)) {
    parts.push_back(std::string(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  parts.push_back(std::string(text.substr(begin)));
  return parts;
}

template <class Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> finite_number(std::string_view text) {
  const auto value = parse_number(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::vector<double>> finite_numbers(std::string_view text) {
  std::vector<double> values;
  for (const std::string& part : split(text, ',')) {
    const auto value = finite_number(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

// Every alternative of the variant with its default knobs.
template <class... Alternatives>
std::vector<std::variant<Alternatives...>> all_alternatives(const std::variant<Alternatives...>&) {
  return {Alternatives{}...};
}

// 90, 90s, 5m, 3h50m, 1d12h: in seconds.
std::optional<double> seconds_of(std::string_view text) {
  if (const auto plain = finite_number(text)) return plain;
  const std::map<char, double> units{{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
  double seconds = 0;
  for (double before = 1e9; !text.empty();) {
    const std::size_t end = text.find_first_not_of("0123456789.");
    const auto unit = end == text.npos ? units.end() : units.find(text[end]);
    const auto count = finite_number(text.substr(0, end));
    if (unit == units.end() || !count || unit->second >= before) return std::nullopt;
    before = unit->second;
    seconds += *count * before;
    text.remove_prefix(end + 1);
  }
  return seconds;
}

std::string name_of(const model::Integrator& integrator) {
  return std::visit([](const auto& alternative) { return std::string(alternative.name); }, integrator);
}

}  // namespace

std::optional<double> OptionReader::number(std::string_view option, const Word& text) {
  if (!text) return std::nullopt;
  const auto value = finite_number(*text);
  if (!value) complain(option, "a number", *text);
  return value;
}

std::optional<double> OptionReader::megabytes(std::string_view option, const Word& word) {
  const auto count = positive(option, word);
  return count ? std::optional(*count * 1e6) : std::nullopt;
}

std::optional<double> OptionReader::positive(std::string_view option, const Word& text) {
  if (!text) return std::nullopt;
  const auto value = finite_number(*text);
  if (value && *value > 0) return value;
  complain(option, "a number above 0", *text);
  return std::nullopt;
}

std::optional<double> OptionReader::duration(std::string_view option, const Word& text) {
  if (!text) return std::nullopt;
  const auto value = seconds_of(*text);
  if (value && *value > 0) return value;
  complain(option, value || text->starts_with('-') ? "a number above 0" : "a number of seconds, or a time like 3h50m",
           *text);
  return std::nullopt;
}

std::optional<double> OptionReader::between(std::string_view option, const Word& text, double least, double most) {
  if (!text) return std::nullopt;
  const auto value = finite_number(*text);
  if (value && *value >= least && *value <= most) return value;
  complain(option, fmt::format("a number from {} to {}", number_text(least), number_text(most)), *text);
  return std::nullopt;
}

std::optional<int> OptionReader::count(std::string_view option, const Word& text, int least, int most) {
  if (!text) return std::nullopt;
  const auto value = whole_number<int>(*text);
  if (value && *value >= least && *value <= most) return value;
  complain(option, fmt::format("a whole number from {} to {}", least, most), *text);
  return std::nullopt;
}

std::optional<std::uint64_t> OptionReader::seed(std::string_view option, const Word& text) {
  if (!text) return std::nullopt;
  const auto value = whole_number<std::uint64_t>(*text);
  if (!value) complain(option, "a whole number of at least 0", *text);
  return value;
}

std::optional<std::vector<double>> OptionReader::times(std::string_view option, const Word& text) {
  if (!text) return std::nullopt;
  std::optional<std::vector<double>> values(std::in_place);
  for (const std::string& part : split(*text, ',')) {
    const std::optional<double> date = calendar_ ? formats::parse_date(part) : std::nullopt;
    const std::optional<double> value = date ? formats::time_of(*calendar_, *date) : finite_number(part);
    const bool is_usable = value && !model::is_too_late(*value);
    if (is_usable && values) values->push_back(*value);
    if (!is_usable) values.reset();
  }
  if (!values) {
    complain(option, "times with commas between them, like 0,0.5,1", *text);
    return std::nullopt;
  }
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
  return values;
}

std::optional<double> OptionReader::time(std::string_view option, const Word& text) {
  if (text && calendar_)
    if (const std::optional<double> date = formats::parse_date(*text)) return formats::time_of(*calendar_, *date);
  const std::optional<double> value = number(option, text);
  if (!value || !model::is_too_late(*value)) return value;
  complain(option, "a time that can be computed with", *text);
  return std::nullopt;
}

std::optional<model::Nodes> OptionReader::nodes(std::string_view option, const Word& text) {
  if (!text) return std::nullopt;
  if (*text == model::AutoNodes::name) return model::AutoNodes{};
  if (*text == model::NodesAtMeasurements::name) return model::NodesAtMeasurements{};
  if (*text == model::SingleInterval::name) return model::SingleInterval{};
  const bool is_count = text->find_first_not_of("+-0123456789") == text->npos;
  const int intervals = is_count ? whole_number<int>(*text).value_or(0) : 0;
  if (intervals >= 1 && intervals <= model::most_intervals) return model::IntervalCount{intervals};
  if (!is_count && finite_numbers(*text)) return model::NodeTimes{*times(option, text)};
  complain(option, "auto, measurements, single, a number of intervals (at most 1000000), or times like 0,2.5,5", *text);
  return std::nullopt;
}

std::vector<std::string> OptionReader::list(std::span<const std::string> texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts)
    for (std::string& word : split(text, ','))
      if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::map<std::string, double> OptionReader::assignments(std::string_view option, std::span<const std::string> texts) {
  std::map<std::string, double> values;
  for (const std::string& text : texts) {
    for (const std::string& part : split(text, ',')) {
      const std::size_t equals = part.find('=');
      const auto value = equals == part.npos ? std::nullopt : finite_number(std::string_view(part).substr(equals + 1));
      if (!value || equals == 0) {
        complain(option, "names with numbers, like p1=0.5,x1=0.4", part);
      } else if (!values.emplace(part.substr(0, equals), *value).second) {
        issues_.push_back(usage_issue(fmt::format("{} names '{}' twice", named(option), part.substr(0, equals))));
      }
    }
  }
  return values;
}

Issue not_built_in() {
  return {.kind = Issue::Kind::unsupported,
          .message = "the integrator cvodes needs SUNDIALS, which was not there when this program was built",
          .hint = "install it (Debian and Ubuntu: libsundials-dev) and build again, or take rodas5p"};
}

std::optional<model::Integrator> OptionReader::integrator(const IntegratorArguments& arguments,
                                                          const model::Integrator& of_file) {
  if (!arguments.integrator && !arguments.rtol && !arguments.atol) {
    if (!fit::is_built_in(of_file)) issues_.push_back(not_built_in());
    return std::nullopt;
  }
  model::Integrator chosen = of_file;
  if (arguments.integrator && *arguments.integrator != name_of(of_file)) {
    std::vector<std::string> known;
    const auto all = all_alternatives(of_file);
    for (const auto& alternative : all) known.push_back(name_of(alternative));
    const auto found = std::find(known.begin(), known.end(), *arguments.integrator);
    if (found == known.end()) {
      complain_about_word("--integrator", *arguments.integrator, known);
      return std::nullopt;
    }
    chosen = all[static_cast<std::size_t>(found - known.begin())];
  }
  if (!fit::is_built_in(chosen)) issues_.push_back(not_built_in());
  set_tolerances(chosen, arguments);
  return chosen;
}

std::optional<model::Integrator> OptionReader::integrator(const IntegratorArguments& arguments,
                                                          const model::Problem& problem) {
  const auto chosen = integrator(arguments, problem.settings.integrator);
  if (chosen && model::has_algebraic_states(problem) && !model::knows_algebraic_states(*chosen))
    issues_.push_back(usage_issue(
        fmt::format("{} does not integrate algebraic equations, and no formula solves those of this problem",
                    name_of(*chosen)),
        fmt::format("take {} rodas5p, or leave it out", named("--integrator"))));
  if (chosen && !model::knows_delays(*chosen) && model::has_delays(problem))
    issues_.push_back(
        usage_issue(fmt::format("{} does not integrate equations that look at earlier values", name_of(*chosen)),
                    fmt::format("take {} dopri5, rodas5p or rk4, or leave it out", named("--integrator"))));
  return chosen;
}

void OptionReader::set_tolerances(model::Integrator& integrator, const IntegratorArguments& arguments) {
  const auto rtol = between("--rtol", arguments.rtol, model::smallest_rtol, model::largest_rtol);
  const auto atol = positive("--atol", arguments.atol);
  std::visit(
      [&](auto& alternative) {
        if constexpr (requires { alternative.rtol = 1e-8; }) {
          if (rtol) alternative.rtol = *rtol;
          if (atol) alternative.atol = *atol;
        } else if (rtol || atol) {
          issues_.push_back(
              usage_issue(fmt::format("{} cannot be used with integrator {}, which has fixed steps",
                                      named(rtol ? "--rtol" : "--atol"), alternative.name),
                          fmt::format("choose {} dopri5, or set the step in the problem file", named("--integrator"))));
        }
      },
      integrator);
}

std::optional<estimate::Intervals> OptionReader::intervals(std::string_view option, const Word& text) {
  if (!text) return std::nullopt;
  if (*text == "auto") return estimate::Intervals::automatic;
  if (*text == "wald") return estimate::Intervals::wald;
  if (*text == "profile") return estimate::Intervals::profile;
  complain(option, "auto, wald or profile", *text);
  return std::nullopt;
}

void OptionReader::complain(std::string_view option, std::string_view wants, std::string_view text) {
  issues_.push_back(usage_issue(fmt::format("{} wants {}, not '{}'", named(option), wants, text)));
}

void OptionReader::complain_about_word(std::string_view option, std::string_view text,
                                       std::span<const std::string> known) {
  issues_.push_back(
      usage_issue(fmt::format("{} does not know '{}'", named(option), text), hint_for_unknown(text, known)));
}

}  // namespace salvo::options
