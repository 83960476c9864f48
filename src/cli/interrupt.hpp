#pragma once

namespace salvo::cli {

// From now on the first SIGINT or SIGTERM only sets a flag, so that a run can end and write what it reached. A second
// one, later on, ends the program as usual.
void catch_interrupts();

bool was_interrupted();

}  // namespace salvo::cli
