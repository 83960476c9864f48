#pragma once

#include <string>

#include "base/result.hpp"
#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// The model as an SBML text. Written are parameters with their values, initial assignments, rules and events, which are
// all that equations need. A quantity's symbol may be any node: wherever it occurs the quantity is named, except in the
// quantity's own formulas.
Result<std::string> write_model(const Model& model);

}  // namespace salvo::formats::sbml
