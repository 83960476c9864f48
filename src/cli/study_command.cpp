#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/task_command.hpp"

namespace salvo::cli {

int study_command(const StudyArguments& arguments) {
  if (arguments.fit.resume && !arguments.fit.out)
    return refuse({usage_issue("--resume needs the folder that the study was to write", "name it by --out")},
                  arguments.fit.json);
  runs::RunWords words = words_of("study", arguments.fit);
  words.truth = arguments.truth;
  words.replicates = arguments.replicates;
  return run_command(std::move(words), arguments.fit, arguments.fit.out, "replicates");
}

}  // namespace salvo::cli
