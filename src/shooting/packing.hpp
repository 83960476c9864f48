#pragma once

#include <vector>

namespace salvo::shooting {

// Which intervals fly side by side. A pack is under way as long as its longest interval; so intervals that take about
// as many steps share one. What a lane computes does not depend on its neighbours: numbers stay what they were.
constexpr int widest_pack = 4;
using Packing = std::vector<int>;  // intervals in the order in which packs take them; empty: as they are planned

// Steps that all packs take, each as many as its longest interval.
long steps_of_packs(const std::vector<int>& steps, const Packing& packing, int lanes);

// The longest first.
Packing pack_by_steps(const std::vector<int>& steps);

}  // namespace salvo::shooting
