#pragma once

// salvo::fit::fit, evaluate, simulate, study and check, with their options.
#include "fit/fit.hpp"
