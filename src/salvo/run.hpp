#pragma once

// Progress out, the wish to stop in: salvo::RunContext.
#include "base/run_context.hpp"
