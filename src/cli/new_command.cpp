#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "formats/problem/write_new.hpp"

namespace salvo::cli {

int new_command(const std::string& name) {
  const Issues issues = formats::write_new_problem(name);
  if (!issues.empty()) return refuse(issues, false);
  const std::filesystem::path folder(name);
  const std::string problem = (folder / folder.filename()).string() + ".yaml";
  print(fmt::format("Wrote {0} and its data.\nTry  salvo fit {0}\n", problem));
  return exit_code::done;
}

}  // namespace salvo::cli
