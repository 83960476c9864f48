#pragma once

#include <string>
#include <variant>

#include "compile/native.hpp"
#include "integrate/built_in.hpp"
#include "model/choices.hpp"
#include "shooting/packing.hpp"

namespace salvo::fit {

// Can this program integrate in that way?
inline bool is_built_in(const model::Integrator& integrator) {
  return integrate::has_cvodes() || !std::holds_alternative<model::Cvodes>(integrator);
}

// Why models are interpreted and never translated: a sentence; empty where they are translated.
inline std::string why_no_machine_code() { return compile::why_no_machine_code(); }

// How many trajectories are integrated side by side.
inline constexpr int lanes = shooting::widest_pack;

}  // namespace salvo::fit
