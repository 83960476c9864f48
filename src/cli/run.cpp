#include "cli/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/declare.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"

namespace salvo::cli {
namespace {

using Words = std::vector<std::string>;

std::string see_help(const CLI::App& command) {
  return command.get_parent() == nullptr ? "see salvo --help" : fmt::format("see salvo {} --help", command.get_name());
}

Words known_options(const CLI::App& command) {
  Words known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return known;
}

Words known_commands(const CLI::App& app) {
  Words known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  return known;
}

// Words that no option or position took. Unknown options come first, because the word after one is often its value.
Issues leftover_issues(const CLI::App& command) {
  Issues options;
  Issues others;
  for (const std::string& word : command.remaining()) {
    if (word == "--") continue;  // it only says that no option follows
    const std::string name = word.substr(0, word.find('='));
    if (word.size() > 1 && word.front() == '-') {
      options.push_back(
          usage_issue(fmt::format("unknown option '{}'", name), hint_for_unknown(name, known_options(command))));
    } else if (command.get_parent() == nullptr) {
      return {usage_issue(fmt::format("unknown command '{}'", word), hint_for_unknown(word, known_commands(command)))};
    } else {
      others.push_back(usage_issue(fmt::format("unexpected word '{}'", word), see_help(command)));
    }
  }
  return options.empty() ? others : options;
}

Issues usage_issues(const CLI::App& app) {
  Issues issues = leftover_issues(app);
  for (const CLI::App* command : app.get_subcommands()) {
    const Issues more = leftover_issues(*command);
    issues.insert(issues.end(), more.begin(), more.end());
  }
  return issues;
}

Issue issue_from(const CLI::ParseError& error, const CLI::App& app) {
  const auto commands = app.get_subcommands();
  const std::string hint = see_help(commands.empty() ? app : *commands.front());
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return usage_issue(message, hint);
  return usage_issue(fmt::format("the value of {} is missing", message.substr(0, message.find(':'))), hint);
}

// The command as it can be typed again.
std::string for_a_shell(const Words& words) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  std::string line = "salvo";
  for (const std::string& word : words) {
    line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

Issue out_of_memory() {
  return usage_issue("the memory is exhausted",
                     "fewer threads (--threads 1), less for trajectories (--memory), or a smaller problem need less");
}

int dispatch(const std::string& command, const Arguments& arguments) {
  if (command == "fit") return fit_command(arguments.fit);
  if (command == "evaluate") return evaluate_command(arguments.evaluate);
  if (command == "simulate") return simulate_command(arguments.simulate);
  if (command == "simulate-sbml") return simulate_sbml_command(arguments.simulate_sbml);
  if (command == "convert") return convert_command(arguments.convert);
  if (command == "study") return study_command(arguments.study);
  if (command == "profile") return profile_command(arguments.profile);
  if (command == "check") return check_command(arguments.check);
  if (command == "design") return design_command(arguments.design);
  if (command == "compare") return compare_command(arguments.compare);
  if (command == "work") return work_command(arguments.work);
  if (command == "status") return status_command(arguments.status);
  if (command == "gather") return gather_command(arguments.gather);
  if (command == "new") return new_command(arguments.new_problem);
  if (command == "plot") return plot_command(arguments.plot);
  if (command == "report") return report_command(arguments.report_folder);
  return eval_math_command(arguments.formula);
}

// A formula may begin with '-', so it does not go through the parser; nothing if there is none.
std::optional<std::string> formula_of(const Words& words) {
  if (words.size() < 2 || words[0] != "eval-math") return std::nullopt;
  if (words.size() == 3 && words[1] == "--") return words[2];
  if (words.size() == 2 && words[1] != "--help" && words[1] != "-h") return words[1];
  return std::nullopt;
}

constexpr const char* about_processes =
    "Processes that mpirun has started share the starts, replicates and profiles of fit, study and profile where those "
    "have a folder (--out). Of a fit without any, the first process takes the steps, and the others evaluate some of "
    "its experiments and intervals where that takes longer than to ask for it. Any other command runs on the first "
    "process. Results have the same bytes for any number of processes and threads.";

int parse_and_run(const Words& words, bool json, runs::Team* team) {
  if (const auto formula = formula_of(words)) return eval_math_command(*formula);
  CLI::App app("Salvo estimates the parameters of differential equations from noisy data by multiple shooting.",
               "salvo");
  Arguments arguments;
  for (FitArguments* each : {&arguments.fit, &arguments.study.fit, &arguments.profile.fit}) {
    each->command_line = for_a_shell(words);
    each->team = team;
  }
  declare_commands(app, arguments);
  if (team != nullptr) app.footer(fmt::format("{}\n\n{}", app.get_footer(), about_processes));
  try {
    app.parse(Words(words.rbegin(), words.rend()));  // CLI11 takes them last word first
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const int code = app.exit(help_or_version, text, text);
    print(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    const Issues issues = usage_issues(app);
    return refuse(issues.empty() ? Issues{issue_from(error, app)} : issues, json);
  }
  const Issues issues = usage_issues(app);
  if (!issues.empty()) return refuse(issues, json);
  if (app.get_subcommands().empty()) {
    print_error(app.help());
    return exit_code::usage;
  }
  return dispatch(app.get_subcommands().front()->get_name(), arguments);
}

}  // namespace

int run(int argc, const char* const* argv, runs::Team* team) {
  leave_on_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond its limit is told like a full disk
  const Words words(argv + std::min(argc, 1), argv + argc);
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    return parse_and_run(words, json, team);
  } catch (const std::bad_alloc&) {
    return refuse({out_of_memory()}, json);
  } catch (const std::length_error&) {  // more than any memory could hold
    return refuse({out_of_memory()}, json);
  } catch (const std::filesystem::filesystem_error& failure) {
    return refuse(
        {usage_issue(fmt::format("'{}' cannot be used: {}", failure.path1().string(), failure.code().message()))},
        json);
  } catch (const std::system_error& failure) {
    return refuse({usage_issue(fmt::format("the system refused: {}", failure.code().message()))}, json);
  } catch (const std::runtime_error& failure) {  // ours are sentences
    return refuse({usage_issue(failure.what())}, json);
  } catch (const std::exception&) {
    return refuse({usage_issue("something went wrong that Salvo did not foresee",
                               "tell its developers, with the files that led here")},
                  json);
  }
}

}  // namespace salvo::cli
