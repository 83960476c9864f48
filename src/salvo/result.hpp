#pragma once

// What a fit says: salvo::fit::FitResult.
#include "fit/result.hpp"
