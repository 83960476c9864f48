#pragma once

// salvo::fit::fit, evaluate, simulate, study, profile and check, with their options.
#include "fit/check.hpp"
#include "fit/evaluate.hpp"
#include "fit/fit.hpp"
#include "fit/initial_guesses.hpp"
#include "fit/profile.hpp"
#include "fit/sensitivities.hpp"
#include "fit/simulate.hpp"
#include "fit/study.hpp"
