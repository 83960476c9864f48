#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "report/run_status.hpp"
#include "runs/status.hpp"

namespace salvo::cli {

int status_command(const StatusArguments& arguments) {
  const auto status = runs::status(arguments.folder);
  if (!status) return refuse(status.issues(), arguments.json);
  print(arguments.json ? report::run_status_json(*status) : report::run_status_summary(*status));
  return exit_code::done;
}

}  // namespace salvo::cli
