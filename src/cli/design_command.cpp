#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/tell.hpp"
#include "design/design.hpp"
#include "formats/problem/read.hpp"
#include "options/prepare.hpp"
#include "report/designs/designs.hpp"

namespace salvo::cli {
namespace {

Result<model::Problem> read_with_design(const DesignArguments& arguments) {
  auto problem = formats::read_problem(arguments.problem);
  if (problem && arguments.design) problem = formats::read_design_file(*std::move(problem), *arguments.design);
  if (problem && !problem->design)
    return Issue{.kind = Issue::Kind::unreadable,
                 .file = arguments.problem,
                 .message = "the problem does not say what could be measured next",
                 .hint = "add a section 'design', or name a file that has one with --design"};
  return problem;
}

Result<design::Options> options_of(const DesignArguments& arguments, const model::Problem& problem) {
  options::OptionReader reader(problem);
  design::Options options;
  options.seed = reader.seed("--seed", arguments.seed).value_or(options.seed);
  options.integrator = reader.integrator(arguments.integrator, problem.settings.integrator);
  if (!reader.is_content()) return reader.issues();
  const auto values = options::read_values(arguments.values, problem);
  if (!values) return values.issues();
  options.values = *values;
  const model::DesignOver over = problem.design->over;
  if (arguments.values.from && (over == model::DesignOver::starts || over == model::DesignOver::profile)) {
    const auto draws = report::designs::read_draws(*arguments.values.from, over);
    if (!draws) return draws.issues();
    options.draws = *draws;
  }
  return options;
}

}  // namespace

int design_command(const DesignArguments& arguments) {
  const auto problem = read_with_design(arguments);
  if (!problem) return refuse(problem.issues(), arguments.json);
  const auto options = options_of(arguments, *problem);
  if (!options) return refuse(options.issues(), arguments.json);
  const std::string folder =
      arguments.out.value_or(std::filesystem::path(arguments.problem).stem().string() + ".design");
  if (const Issues trouble = options::check_folder(folder); !trouble.empty()) return refuse(trouble, arguments.json);

  catch_interrupts();
  const Progress::Volume volume = arguments.quiet ? Progress::Volume::quiet : Progress::Volume::normal;
  tell_remarks(*problem, volume);
  const RunContext context{.interrupted = [] { return was_interrupted(); }};
  const design::Result result = design::design(*problem, *options, context);
  report::designs::write(*problem, result, folder);
  if (arguments.json)
    print(report::designs::json(*problem, result));
  else if (!arguments.quiet)
    print(report::designs::summary(*problem, result, wants_colour(), sentence_width_out()) +
          fmt::format("Results: {0}\nReport:  {0}/report.html\n", folder));
  if (was_interrupted()) return exit_code::interrupted;
  if (result.status == design::Status::found) return exit_code::done;
  if (arguments.json || arguments.quiet) print_error(fmt::format("salvo: {}\n", result.message));
  return exit_code::no_answer;
}

}  // namespace salvo::cli
