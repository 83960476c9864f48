#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"
#include "cli/tell.hpp"
#include "runs/worker.hpp"

namespace salvo::cli {

int gather_command(const GatherArguments& arguments) {
  catch_interrupts();
  const Shown shown{.json = arguments.json, .quiet = arguments.quiet};
  Progress progress(Progress::Volume::quiet, "", std::nullopt);
  const auto gathered = runs::gather(arguments.folder, watched_by(progress));
  if (!gathered) return refuse(gathered.issues(), arguments.json);
  show(gathered->run, gathered->result, shown, arguments.folder);
  if (!gathered->is_complete && !arguments.quiet)
    print_note("the run has more to do; these are the results of what is finished");
  return exit_code_of(gathered->run, gathered->result);
}

}  // namespace salvo::cli
