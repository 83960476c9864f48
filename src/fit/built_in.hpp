#pragma once

#include <variant>

#include "integrate/built_in.hpp"
#include "model/choices.hpp"

namespace salvo::fit {

// Can this program integrate in that way?
inline bool is_built_in(const model::Integrator& integrator) {
  return integrate::has_cvodes() || !std::holds_alternative<model::Cvodes>(integrator);
}

}  // namespace salvo::fit
