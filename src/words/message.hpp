#pragma once

#include <string>

#include "results/fit_result.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::words {

// One plain sentence (or a few): what happened, and if it failed, where and what to try.
std::string message(const estimate::Setup& setup, const solve::SolveResult& solved, const FitResult& result);

}  // namespace salvo::words
