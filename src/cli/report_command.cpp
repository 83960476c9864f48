#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "report/folder_update.hpp"
#include "report/page.hpp"

namespace salvo::cli {

int report_command(const std::string& folder) {
  const auto page = report::page_of_folder(folder);
  if (!page) return refuse(page.issues(), false);
  const std::string file = (std::filesystem::path(folder) / "report.html").string();
  catch_interrupts();  // what is begun is finished
  report::write_file(file, *page);
  print(fmt::format("Wrote {}.\n", file));
  return was_interrupted() ? exit_code::interrupted : exit_code::done;
}

}  // namespace salvo::cli
