#pragma once

#include <string>

#include "nlp/problem.hpp"

namespace salvo::estimate {

// Another point that may be as good as the answer, because the equations or the times of the measurements do not tell
// them apart.
struct Image {
  nlp::Point q{};
  std::string words{};  // how it differs: "a and b are exchanged"
};

}  // namespace salvo::estimate
