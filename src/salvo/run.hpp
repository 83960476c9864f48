#pragma once

// Progress out, the wish to stop in: salvo::RunContext.
#include "base/run_context.hpp"
// What this program was built with: salvo::fit::why_no_machine_code.
#include "fit/built_in.hpp"
