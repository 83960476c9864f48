#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compile/pack.hpp"
#include "integrate/support.hpp"

namespace salvo::integrate {

// Scalars that a backward sweep takes at once. Their derivatives by one state stand side by side, so that a non-zero of
// the Jacobian and its place are read once for all of them, whereas W lanes have W Jacobians.
inline constexpr int bundled = 8;

struct Bundle {
  using Numbers = compile::Pack<bundled>;
  double* by_x;  // [state][scalar]
  double* by_p;  // [parameter][scalar]
  Support& reached;
};

// Line i of M' times the vectors of a bundle.
inline Bundle::Numbers bundle_product(const compile::Lines& lines, int i, const double* nonzeros, const double* in) {
  Bundle::Numbers sum = Bundle::Numbers::all(0);
  for (int k = lines.start[i]; k < lines.start[i + 1]; ++k)
    sum = sum + Bundle::Numbers::all(nonzeros[k]) * Bundle::Numbers::load(in + lines.across[k] * bundled);
  return sum;
}

// All scalars of all lanes in bundles; the last bundle of a lane may hold scalars that do not exist and stay zero.
class Bundles {
 public:
  struct Counts {
    int lanes, scalars, states, parameters;

    int bundles() const { return (scalars + bundled - 1) / bundled; }
    std::size_t bundle_size() const { return static_cast<std::size_t>(states + parameters) * bundled; }
    std::size_t size() const { return bundle_size() * bundles() * lanes; }
  };
  Bundles(const Counts& counts, double* numbers)
      : counts_(counts), numbers_(numbers), reached_(counts.lanes * counts.bundles(), Support(counts.states)) {
    std::fill_n(numbers_, counts.size(), 0.0);
  }
  int count() const { return counts_.bundles(); }
  Bundle of(int lane, int b) {
    const int index = lane * counts_.bundles() + b;
    double* by_x = numbers_ + counts_.bundle_size() * index;
    return {by_x, by_x + static_cast<std::size_t>(counts_.states) * bundled, reached_[index]};
  }

  // Adds what stands in lambda[(i + c * states) * W + lane], and clears it there.
  void take(int lane, int W, double* lambda) {
    each_scalar(lane, [&](int c, const Bundle& bundle) {
      for (int i = 0; i < counts_.states; ++i) {
        double& number = lambda[(i + static_cast<std::size_t>(c) * counts_.states) * W + lane];
        if (number == 0) continue;
        bundle.by_x[i * bundled + c % bundled] += number;
        bundle.reached.add(i);
        number = 0;
      }
    });
  }
  // Writes everything to by_x0[(i + c * states) * W + lane] and by_p[(k + c * parameters) * W + lane].
  void give(int lane, int W, double* by_x0, double* by_p) {
    each_scalar(lane, [&](int c, const Bundle& bundle) {
      double* of_x = by_x0 + static_cast<std::size_t>(c) * counts_.states * W + lane;
      double* of_p = by_p + static_cast<std::size_t>(c) * counts_.parameters * W + lane;
      for (int i = 0; i < counts_.states; ++i) of_x[i * W] = bundle.by_x[i * bundled + c % bundled];
      for (int k = 0; k < counts_.parameters; ++k) of_p[k * W] = bundle.by_p[k * bundled + c % bundled];
    });
  }

 private:
  template <class Use>
  void each_scalar(int lane, const Use& use) {
    for (int c = 0; c < counts_.scalars; ++c) use(c, of(lane, c / bundled));
  }

  Counts counts_;
  double* numbers_;
  std::vector<Support> reached_;
};

}  // namespace salvo::integrate
