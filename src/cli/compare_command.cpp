#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "report/comparison.hpp"
#include "report/folder_update.hpp"

namespace salvo::cli {

int compare_command(const CompareArguments& arguments) {
  Issues issues;
  if (arguments.folders.size() < 2)
    issues.push_back(usage_issue("compare wants two fits or more", "name the folders that 'salvo fit' has written"));
  std::vector<fit::ComparedFit> fits;
  for (const std::string& folder : arguments.folders) {
    auto read = report::read_compared_fit(folder);
    if (read)
      fits.push_back(*std::move(read));
    else
      issues.insert(issues.end(), read.issues().begin(), read.issues().end());
  }
  if (!issues.empty()) return refuse(issues, arguments.json);
  const auto comparison = fit::compare(std::move(fits), arguments.nested);
  if (!comparison) return refuse(comparison.issues(), arguments.json);
  if (arguments.out) report::write_file(*arguments.out, report::comparison_page(*comparison));
  print(arguments.json ? report::comparison_json(*comparison)
                       : report::comparison_summary(*comparison, wants_colour(), sentence_width_out()));
  if (arguments.out && !arguments.json) print(fmt::format("Wrote {}.\n", *arguments.out));
  return exit_code::done;
}

}  // namespace salvo::cli
