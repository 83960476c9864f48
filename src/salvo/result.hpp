#pragma once

// What a fit says: salvo::FitResult.
#include "results/fit_result.hpp"
