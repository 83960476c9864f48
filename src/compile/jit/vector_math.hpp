#pragma once

#include <string>

#include "expression/graph.hpp"

namespace salvo::compile::jit {

// The name of a function in the C library, "exp" say; null for operations that are instructions.
const char* library_name(expression::Op op);

// This names the function over `lanes` numbers (2, 4 or 8) in the vector library that comes with glibc, accurate to 4
// units in the last place; null where there is none.
struct VectorFunction {
  std::string name{};
  void* address = nullptr;
};
VectorFunction vector_function(expression::Op op, int lanes);

void* scalar_function(expression::Op op);

}  // namespace salvo::compile::jit
