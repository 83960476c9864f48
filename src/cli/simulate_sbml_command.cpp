#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "fit/simulate.hpp"
#include "formats/sbml/suite.hpp"
#include "options/option_reader.hpp"
#include "report/folder_update.hpp"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;

std::string suite_csv(const formats::sbml::SuiteSettings& settings, const Arc& arc) {
  std::string text = "time";
  for (const std::string& id : settings.variables) text += "," + id;
  for (int k = 0; k < arc.observables.cols; ++k) {
    text += "\n" + number_text(arc.time[k]);
    for (int i = 0; i < arc.observables.rows; ++i) text += "," + number_text(arc.observables(i, k));
  }
  return text + "\n";
}

// A file changes at once; /dev/stdout and its like are written to and not replaced.
bool write_csv(const std::string& path, const std::string& text) {
  std::error_code error;
  if (!fs::exists(path, error) || fs::is_regular_file(path, error)) return report::write_file(path, text), true;
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  return static_cast<bool>(out);
}

}  // namespace

int simulate_sbml_command(const SimulateSbmlArguments& arguments) {
  const auto settings = arguments.settings ? formats::sbml::read_suite_settings(*arguments.settings)
                                           : formats::sbml::usual_settings(arguments.model);
  if (!settings) return refuse(settings.issues());
  const auto problem = formats::sbml::suite_problem(arguments.model, *settings);
  if (!problem) return refuse(problem.issues());
  options::OptionReader reader;
  fit::SimulateOptions options{.at = settings->times()};
  options.integrator = reader.integrator(arguments.integrator, *problem);
  if (!reader.is_content()) return refuse(reader.issues());
  if (!arguments.settings)
    print_note(fmt::format("{} from t = 0 to {}; --settings FILE says otherwise",
                           counted(std::ssize(settings->variables), "variable"), number_text(settings->duration)));

  const fit::SimulateResult result = fit::simulate(*problem, options);
  if (result.experiments.empty()) return print_error(fmt::format("salvo: {}\n", result.message)), exit_code::no_answer;
  const std::string table = suite_csv(*settings, result.experiments.front());
  catch_interrupts();  // what is begun is finished
  if (!arguments.csv)
    print(table);
  else if (!write_csv(*arguments.csv, table))
    return refuse({usage_issue(fmt::format("--csv '{}' cannot be written", *arguments.csv))});
  if (was_interrupted()) return exit_code::interrupted;
  if (result.ok) return exit_code::done;
  print_error(fmt::format("salvo: {}\n", result.message));
  return exit_code::no_answer;
}

}  // namespace salvo::cli
