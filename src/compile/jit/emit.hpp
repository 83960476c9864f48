#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "compile/listing.hpp"

namespace salvo::compile::jit {

// What the emitted code calls, by name.
using Externals = std::map<std::string, void*>;

// How wide the registers of this machine are, in numbers.
enum class Registers { two = 2, four = 4, eight = 8 };

// Writes the listing as functions over `lanes` numbers into the module; their names begin with `name`.
struct EmittedKernel {
  std::vector<std::string> pieces{};
  std::string sums{};  // empty: none
};
EmittedKernel emit(const Listing& listing, int lanes, Registers registers, const std::string& name,
                   llvm::Module& module, Externals& externals);

}  // namespace salvo::compile::jit
