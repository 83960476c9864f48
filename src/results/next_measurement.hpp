#pragma once

#include <string>

namespace salvo {

// Which further measurement would tell most.
struct NextMeasurement {
  std::string observable{};
  std::string experiment{};
  double time = 0;
  std::string sentence{};
};

}  // namespace salvo
