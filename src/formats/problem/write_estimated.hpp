#pragma once

#include "formats/yaml/write.hpp"
#include "model/problem.hpp"

namespace salvo::formats {

// {guess: ..., bounds: [lo, hi], scale: ..., prior: ..., starts: ...}
yaml::Value write_estimated(const model::Estimated& estimated);

}  // namespace salvo::formats
