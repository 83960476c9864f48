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
  const std::string data = (folder / "measurements.csv").string();
  print(fmt::format("Wrote {0} and {1}.\nNext, type\n  salvo fit {0}\nand then put your own equations and data in.\n",
                    problem, data));
  return exit_code::done;
}

}  // namespace salvo::cli
