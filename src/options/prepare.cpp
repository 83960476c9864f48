#include "options/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "base/machine.hpp"
#include "estimate/quantities.hpp"
#include "formats/tables/parameter_table.hpp"
#include "model/delays.hpp"
#include "model/on_cells.hpp"
#include "model/only.hpp"

namespace salvo::options {
namespace {

using Values = std::map<std::string, double>;

// Steps shorter than the first are rounding, and a step of the second ends nothing.
constexpr double smallest_tolerance = 1e-13;
constexpr double largest_tolerance = 0.1;
constexpr const char* estimates_file = "estimates.tsv";

void append(Issues& issues, const Issues& more) { issues.insert(issues.end(), more.begin(), more.end()); }

int thread_count(std::optional<int> wanted) {
  if (wanted && *wanted > 0) return *wanted;
  return usable_cores();
}

fit::Options read_options(OptionReader& reader, const FitWords& arguments, Door door) {
  fit::Options options;
  options.method = reader.choice<model::Method>("--method", arguments.method);
  options.derivatives = reader.choice<model::Derivatives>("--derivatives", arguments.derivatives);
  options.nodes = reader.nodes("--nodes", arguments.nodes);
  options.start = reader.choice<model::StartValues>("--start", arguments.start);
  options.max_iterations = reader.count("--max-iterations", arguments.max_iterations, 1);
  options.tolerance = reader.between("--tolerance", arguments.tolerance, smallest_tolerance, largest_tolerance)
                          .value_or(options.tolerance);
  options.max_seconds = reader.duration("--max-time", arguments.max_time);
  options.memory = reader.megabytes("--memory", arguments.memory);
  options.threads = thread_count(reader.count("--threads", arguments.threads, 0));
  options.starts = reader.count("--starts", arguments.starts, 1, most_starts).value_or(options.starts);
  options.seed = reader.seed("--seed", arguments.seed).value_or(options.seed);
  options.guess = reader.assignments("--guess", arguments.guess);
  options.effort = reader.positive("--effort", arguments.effort).value_or(options.effort);
  options.intervals = reader.intervals("--intervals", arguments.intervals).value_or(options.intervals);
  options.accept_grid_error = arguments.accept_grid_error;
  options.spelling = door == Door::keywords ? as_keywords() : as_options();
  return options;
}

Result<Values> read_folder(const std::string& folder, Door door) {
  const auto file = std::filesystem::path(folder) / estimates_file;
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return usage_issue(fmt::format("{} '{}': there is no {}", spelled(door, "--from"), folder, file.string()),
                       "name the folder that an earlier fit wrote");
  return formats::read_parameter_table(file.string());
}

// p1=0.5,x1=0.4 as it stands, or a table of that name.
Result<Values> read_parameters(const std::string& word, Door door) {
  std::error_code error;  // a long list of values is too long for the name of a file
  if (word.find('=') == std::string::npos || std::filesystem::exists(word, error))
    return formats::read_parameter_table(word);
  OptionReader reader(door);
  Values values = reader.assignments("--parameters", {&word, 1});
  if (!reader.is_content()) return reader.issues();
  return values;
}

std::string without_experiment(const std::string& name) { return name.substr(name.find(':') + 1); }

// Start values of an earlier fit: what this problem does not know (another model) is left out with a word, and what
// the command line says itself goes first.
void add_earlier_estimates(PreparedFit& prepared, const Values& earlier, const Values& fixed, Door door) {
  const std::set<std::string> unknown = estimate::unknown_names(prepared.problem, earlier);
  for (const auto& [name, value] : earlier) {
    if (fixed.contains(name) || fixed.contains(without_experiment(name))) continue;
    if (!unknown.contains(name)) {
      prepared.options.guess.emplace(name, value);
    } else {
      prepared.warnings.push_back({.kind = Issue::Kind::warning,
                                   .message = fmt::format("{}: this problem has no '{}'; its value is not used",
                                                          spelled(door, "--from"), name)});
    }
  }
}

Issues check_guess_against_fix(const Values& guess, const Values& fixed, Door door) {
  Issues issues;
  for (const auto& [name, value] : fixed)
    if (guess.contains(name))
      issues.push_back(
          usage_issue(fmt::format("{} and {} both name '{}'", spelled(door, "--guess"), spelled(door, "--fix"), name)));
  return issues;
}

// What lies behind a node is the end of another trajectory, which is not what formulas look back at.
Issues check_nodes_of_delays(const PreparedFit& prepared) {
  const model::Nodes nodes = prepared.options.nodes.value_or(prepared.problem.settings.nodes);
  const bool is_cut =
      !std::holds_alternative<model::AutoNodes>(nodes) && !std::holds_alternative<model::SingleInterval>(nodes);
  if (!is_cut || !model::has_delays(prepared.problem)) return {};
  return {{.kind = Issue::Kind::unsupported,
           .file = prepared.options.nodes ? std::string{} : prepared.problem.file,
           .message = "formulas look at earlier values, which trajectories that are cut at nodes do not have",
           .hint = "leave the nodes out: where data show these states, the fit begins on nodes of its own"}};
}

Issues check_supported(const PreparedFit& prepared) {
  if (Issues issues = check_nodes_of_delays(prepared); !issues.empty()) return issues;
  const model::Method method = prepared.options.method.value_or(prepared.problem.settings.method);
  const bool knows_constraints = method == model::Method::gauss_newton || method == model::Method::automatic;
  if (knows_constraints || prepared.problem.constraints.empty()) return {};
  return {{.kind = Issue::Kind::unsupported,
           .file = prepared.options.method ? std::string{} : prepared.problem.file,
           .message = fmt::format("method {} does not handle constraints", model::to_string(method)),
           .hint = "use gauss-newton or auto"}};
}

// --only and --until
Issues choose_data(const FitWords& arguments, model::Problem& problem, Door door) {
  OptionReader reader(problem, door);
  Issues issues;
  if (!arguments.only.empty())
    for (Issue issue : model::keep_only(problem, reader.list(arguments.only))) {
      issue.kind = Issue::Kind::unreadable;
      issue.message = fmt::format("{}: {}", spelled(door, "--only"), issue.message);
      issues.push_back(std::move(issue));
    }
  const std::optional<double> until = reader.time("--until", arguments.until);
  append(issues, reader.issues());
  if (!until) return issues;
  double start = problem.experiments.front().start;
  for (model::Experiment& experiment : problem.experiments) {
    start = std::min(start, experiment.start);
    std::vector<double>& times = experiment.predicted_at;
    if (*until > experiment.start) times.insert(std::upper_bound(times.begin(), times.end(), *until), *until);
  }
  if (*until <= start)
    issues.push_back(usage_issue(fmt::format("{}: the time {} is not after the start of the integration, {}",
                                             spelled(door, "--until"), number_text(*until), number_text(start))));
  return issues;
}

}  // namespace

Issues check_option_names(const model::Problem& problem, const Values& values, std::string_view option, Door door) {
  Issues issues = estimate::check_names(problem, values);
  for (Issue& issue : issues) {
    issue.kind = Issue::Kind::unreadable;
    issue.message = fmt::format("{}: {}", spelled(door, option), issue.message);
  }
  return issues;
}

Issues set_cells(const Word& cells, model::Problem& problem, Door door) {
  if (!cells) return {};
  OptionReader reader(door);
  const std::optional<int> count = reader.count("--cells", cells, model::fewest_cells, model::most_cells);
  if (!count) return reader.issues();
  if (problem.fields.empty())
    return {usage_issue(fmt::format("{}: the problem has no fields", spelled(door, "--cells")), "leave it out")};
  problem = model::with_cells(std::move(problem), *count);
  return {};
}

Issues check_words(const FitWords& words) {
  OptionReader reader;
  read_options(reader, words, Door::command_line);
  reader.assignments("--fix", words.fix);
  return reader.issues();
}

Result<PreparedFit> prepare_fit(const FitWords& words, model::Problem problem, Door door) {
  OptionReader reader(door);
  PreparedFit prepared;
  prepared.options = read_options(reader, words, door);
  const Values fixed = reader.assignments("--fix", words.fix);
  prepared.problem = std::move(problem);
  prepared.options.integrator = reader.integrator(words.integrator, prepared.problem);

  Issues issues = reader.issues();
  append(issues, set_cells(words.cells, prepared.problem, door));
  append(issues, choose_data(words, prepared.problem, door));
  append(issues, check_option_names(prepared.problem, prepared.options.guess, "--guess", door));
  append(issues, check_option_names(prepared.problem, fixed, "--fix", door));
  append(issues, check_guess_against_fix(prepared.options.guess, fixed, door));
  if (words.from) {
    const auto earlier = read_folder(*words.from, door);
    if (earlier) add_earlier_estimates(prepared, *earlier, fixed, door);
    if (!earlier) append(issues, earlier.issues());
  }
  if (issues.empty()) append(issues, check_supported(prepared));
  if (issues.empty()) append(issues, estimate::fix_values(prepared.problem, {fixed.begin(), fixed.end()}));
  if (!issues.empty()) return issues;
  return prepared;
}

Result<Values> read_values(const ValueArguments& arguments, const model::Problem& problem, Door door) {
  const auto parameters = spelled(door, "--parameters"), from = spelled(door, "--from");
  if (arguments.parameters && arguments.from)
    return usage_issue(fmt::format("{} and {} exclude each other", parameters, from), "give only one of them");
  if (!arguments.parameters && !arguments.from) return Values{};
  auto values = arguments.from ? read_folder(*arguments.from, door) : read_parameters(*arguments.parameters, door);
  if (!values) return values;
  Issues unknown = check_option_names(problem, *values, arguments.from ? "--from" : "--parameters", door);
  if (!unknown.empty()) return unknown;
  return values;
}

}  // namespace salvo::options
