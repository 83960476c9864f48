#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/write_all.hpp"
#include "fit/simulate.hpp"
#include "formats/problem/new_problem.hpp"
#include "formats/problem/write.hpp"
#include "formats/sbml/suite.hpp"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;

int example(const std::string& name) {
  const auto written = formats::new_problem(name);
  if (!written) return refuse(written.issues());
  catch_interrupts();  // what is begun is finished
  write_all(*written, name);
  const fs::path folder(name);
  const std::string problem = (folder / written->files[0].name).string();
  const std::string data = (folder / written->files[1].name).string();
  print(fmt::format("Wrote {0} and {1}.\nNext, type\n  salvo fit {0}\nand then put your own equations and data in.\n",
                    problem, data));
  return exit_code::done;
}

// Rows to be replaced: what the model says itself, so that the problem can be tried as it is.
std::string add_rows(model::Problem& problem, double until) {
  constexpr int rows = 10;
  constexpr double relative_noise = 0.05;  // of the largest value
  fit::SimulateOptions options;
  for (int k = 1; k <= rows; ++k) options.at.push_back(until * k / rows);
  const fit::SimulateResult result = fit::simulate(problem, options);
  if (!result.ok) return result.message;
  const Arc& arc = result.experiments.front();
  for (int k = 0; k < arc.observables.rows; ++k) {
    double largest = 0;
    for (int i = 0; i < arc.observables.cols; ++i) largest = std::max(largest, std::abs(arc.observables(k, i)));
    const double noise = largest > 0 ? relative_noise * largest : 1;
    problem.observables[static_cast<std::size_t>(k)].noise =
        problem.graph.constant(*parse_number(fmt::format("{:.2g}", noise)));
    for (int i = 0; i < arc.observables.cols; ++i)
      problem.measurements.push_back({.observable = k,
                                      .time = arc.time[static_cast<std::size_t>(i)],
                                      .value = *parse_number(fmt::format("{:.4g}", arc.observables(k, i)))});
  }
  return {};
}

int from_sbml(const std::string& model, const std::string& name) {
  const auto settings = formats::sbml::usual_settings(model);
  if (!settings) return refuse(settings.issues());
  auto problem = formats::sbml::suite_problem(model, *settings);
  if (!problem) return refuse(problem.issues());
  for (model::Observable& observable : problem->observables) observable.id += "_measured";
  const std::string trouble = add_rows(*problem, settings->duration);
  const fs::path folder(name);
  const formats::Written written = formats::write_problem(*problem, folder.filename().string());
  if (const Issues issues = formats::already_there(written, name); !issues.empty()) return refuse(issues);
  catch_interrupts();  // what is begun is finished
  write_all(written, name);
  for (const std::string& lost : written.lost) print_note(fmt::format("changed: {}", lost));
  if (!trouble.empty())
    print_note(fmt::format("the model cannot be simulated as it is ({}): the table is empty", trouble));
  const std::string file = (folder / written.files[0].name).string();
  print(
      fmt::format("Wrote {} and {}.\nNext, put your measurements into the table, say in the problem file which "
                  "parameters are to be estimated, and type\n  salvo check {}\n",
                  file, (folder / written.files[1].name).string(), file));
  return exit_code::done;
}

bool can_be_a_name(const std::string& name) {
  const std::string stem = fs::path(name).filename().string();
  return !stem.empty() && stem != "." && stem != ".." && name.front() != '-';
}

}  // namespace

int new_command(const NewArguments& arguments) {
  if (!arguments.name && !arguments.from)
    return refuse({usage_issue("NAME is missing", "as in: salvo new hares, or salvo new --from model.xml")});
  const std::string name = arguments.name.value_or(fs::path(arguments.from.value_or("")).stem().string());
  if (!arguments.from) return example(name);
  if (!can_be_a_name(name))
    return refuse({usage_issue(fmt::format("'{}' cannot be the name of a problem", name), "use a plain word")});
  return from_sbml(*arguments.from, name);
}

}  // namespace salvo::cli
