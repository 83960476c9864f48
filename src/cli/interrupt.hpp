#pragma once

namespace salvo::cli {

// From now on SIGINT, SIGTERM or SIGHUP ends the program at once, with the exit code of an interruption: there is
// nothing to keep.
void leave_on_interrupts();

// The same for the signals by which schedulers tell that the time is over (SIGTERM, SIGUSR1, SIGXCPU), with the exit
// code that asks them to come again: as long as a run is being prepared.
void leave_to_schedulers();

// From now on the first of them only sets a flag, so that a run can end and write what it reached. A second one, later
// on, ends the program as usual.
void catch_interrupts();

// From now on those of schedulers set the flag, too, however often they come.
void catch_wishes_of_schedulers();

bool was_interrupted();
bool was_interrupted_by_hand();  // by SIGINT or SIGHUP

}  // namespace salvo::cli
