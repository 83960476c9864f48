#include "cli/commands.hpp"
#include "cli/task_command.hpp"

namespace salvo::cli {

int fit_command(const FitArguments& arguments) {
  return run_command(words_of("fit", arguments), arguments, arguments.out.value_or(default_folder(arguments.problem)),
                     "starts");
}

}  // namespace salvo::cli
