#include "shooting/packing.hpp"

#include <algorithm>
#include <numeric>

namespace salvo::shooting {

long steps_of_packs(const std::vector<int>& steps, const Packing& packing, int lanes) {
  long sum = 0;
  for (std::size_t first = 0; first < steps.size(); first += lanes) {
    int longest = 0;
    for (std::size_t n = first; n < std::min(first + lanes, steps.size()); ++n)
      longest = std::max(longest, steps[packing.empty() ? n : packing[n]]);
    sum += longest;
  }
  return sum;
}

Packing pack_by_steps(const std::vector<int>& steps) {
  Packing packing(steps.size());
  std::iota(packing.begin(), packing.end(), 0);
  std::stable_sort(packing.begin(), packing.end(), [&](int a, int b) { return steps[a] > steps[b]; });
  return packing;
}

}  // namespace salvo::shooting
