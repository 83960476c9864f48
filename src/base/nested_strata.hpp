#pragma once

#include <cstdint>

namespace salvo {

// Shares of (0, 1) that fill the interval evenly from the first on: of the first 2^m, and of every further 2^m, each of
// 2^m equal parts holds exactly one. The share of an index depends on nothing but the seed and the index, so that more
// of them go on where fewer have ended. It is van der Corput's sequence in base 2, its order and its places scrambled
// as Owen does ([Owen95]): several of them, with seeds of their own, make up what a Latin hypercube does for a fixed
// number.
double nested_share(std::uint64_t seed, std::uint32_t index);

}  // namespace salvo
