#pragma once

#include <cstddef>

namespace salvo::integrate {

// Numbers of a vector that stand `stride` apart.
struct Strided {
  double* numbers = nullptr;
  std::size_t stride = 1;
  double& operator[](int i) const { return numbers[static_cast<std::size_t>(i) * stride]; }
};

struct StridedView {
  const double* numbers = nullptr;
  std::size_t stride = 1;
  double operator[](int i) const { return numbers[static_cast<std::size_t>(i) * stride]; }
};

}  // namespace salvo::integrate
