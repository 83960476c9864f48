#pragma once

#include <string>

#include "fit/result.hpp"
#include "fit/setup.hpp"

namespace salvo::fit {

// One plain sentence (or a few): what happened, and if it failed, where and what to try.
std::string message(const Setup& setup, const solve::SolveResult& solved, const FitResult& result);

}  // namespace salvo::fit
