#include "integrate/stiffness.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace salvo::integrate {

double fastest_decay(const compile::Lines& rows, const double* nonzeros, int stride, std::span<double> room) {
  constexpr int iterations = 10;
  constexpr double nearly = 0.3;  // an eigenvector, if what is left over is smaller than this share
  const std::size_t d = room.size() / 2;
  std::span<double> v = room.first(d);
  std::span<double> Jv = room.subspan(d);
  for (std::size_t i = 0; i < d; ++i) v[i] = 1 + 0.3 * static_cast<double>(i * 7 % 11);  // no symmetry of the states
  double rate = 0;
  for (int n = 0; n < iterations; ++n) {
    double vv = 0, vJv = 0, JvJv = 0;
    for (std::size_t i = 0; i < d; ++i) {
      double sum = 0;
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
        sum += nonzeros[static_cast<std::size_t>(rows.place[k]) * stride] * v[rows.across[k]];
      Jv[i] = sum;
      vv += v[i] * v[i];
      vJv += v[i] * sum;
      JvJv += sum * sum;
    }
    if (!(JvJv > 0) || !std::isfinite(JvJv)) return 0;
    const double eigenvalue = vJv / vv;
    const double left_over = JvJv / vv - eigenvalue * eigenvalue;
    rate = eigenvalue < 0 && left_over < nearly * nearly * eigenvalue * eigenvalue ? -eigenvalue : 0;
    const double size = std::sqrt(JvJv);
    for (double& number : Jv) number /= size;
    std::swap(v, Jv);
  }
  return rate;
}

}  // namespace salvo::integrate
