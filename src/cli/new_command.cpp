#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "formats/problem/write_new.hpp"

namespace salvo::cli {

int new_command(const std::string& name) {
  const Issues issues = formats::write_new_problem(name);
  if (!issues.empty()) return refuse(issues, false);
  print(fmt::format("Wrote {0}.yaml and its data. Fit it with  salvo fit {0}.yaml\n", name));
  return exit_code::done;
}

}  // namespace salvo::cli
