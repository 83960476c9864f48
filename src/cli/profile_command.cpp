#include "cli/commands.hpp"
#include "cli/task_command.hpp"

namespace salvo::cli {

int profile_command(const ProfileArguments& arguments) {
  runs::RunWords words = words_of("profile", arguments.fit);
  words.profile = arguments;
  return run_command(std::move(words), arguments.fit, arguments.fit.out.value_or(default_folder(arguments.fit.problem)),
                     "sides");
}

}  // namespace salvo::cli
