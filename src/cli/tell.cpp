#include "cli/tell.hpp"

#include <fmt/format.h>

#include "cli/interrupt.hpp"
#include "cli/output.hpp"

namespace salvo::cli {

Progress::Volume volume_of(const FitArguments& arguments) {
  if (arguments.quiet) return Progress::Volume::quiet;
  return arguments.verbose ? Progress::Volume::verbose : Progress::Volume::normal;
}

void tell_warnings(const Issues& warnings) {
  for (const Issue& warning : warnings) print_error(shown(warning) + "\n");
}

void tell_remarks(const model::Problem& problem, Progress::Volume volume) {
  tell_warnings(problem.warnings);
  if (volume == Progress::Volume::quiet) return;
  for (const std::string& remark : problem.remarks) print_note(remark);
}

RunContext watched_by(Progress& progress) {
  return {.listener = [&progress](const Event& event) { progress.show(event); },
          .interrupted = was_interrupted,
          .hears_details = progress.is_verbose()};
}

}  // namespace salvo::cli
