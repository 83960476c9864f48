#pragma once

#include <string>

#include "base/result.hpp"
#include "formats/written.hpp"

namespace salvo::formats {

// The files of the folder `name`: a commented problem file (name/name.yaml) and its data, to learn from and to change.
// An Issue if that cannot be a name, or if there is something of this name already.
Result<Written> new_problem(const std::string& name);

}  // namespace salvo::formats
