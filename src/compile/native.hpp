#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/stop_flag.hpp"
#include "compile/listing.hpp"

namespace salvo::compile {

// Machine code of a listing for one number of lanes, called with the arrays of a tape in the order of the banks: time,
// state, parameter, seed, kept, work, and then the outputs. Long listings come in pieces, which hand numbers on through
// `work`.
using NativeFunction = void (*)(const double*, const double*, const double*, const double*, const double*, double*,
                                double*);
// The sums over stages: the same arrays, then how far apart two stages stand in each bank, how many there are, and the
// sums.
using NativeSums = void (*)(const double*, const double*, const double*, const double*, const double*, const double*,
                            const std::size_t*, std::size_t, double*);

struct NativeKernel {
  std::vector<NativeFunction> pieces{};
  NativeSums sums = nullptr;  // null: too many to be worth machine code
};

// What a translator makes of many listings at once. The code lives as long as `memory`.
struct NativeCode {
  std::vector<NativeKernel> kernels{};
  std::shared_ptr<const void> memory{};
  std::string trouble{};  // in words, if there is no code
};

struct NativeOrder {
  const Listing* listing = nullptr;
  int lanes = 1;
};

// Translates through the LLVM library, which is loaded at the first call: programs that need no machine code do not
// pay for it. Large models take seconds: once `stop` is raised, what is left is given up.
NativeCode translate(const std::vector<NativeOrder>& orders, const StopFlag* stop = nullptr);

// Why there is nothing to translate with: a sentence; empty where there is. Models are interpreted then, which takes
// longer.
std::string why_no_machine_code();

}  // namespace salvo::compile
