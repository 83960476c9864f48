#include "compile/jit/vector_math.hpp"

#include <dlfcn.h>

namespace salvo::compile::jit {

using expression::Op;

const char* library_name(Op op) {
  switch (op) {
    case Op::power: return "pow";
    case Op::exp: return "exp";
    case Op::log: return "log";
    case Op::log2: return "log2";
    case Op::log10: return "log10";
    case Op::sin: return "sin";
    case Op::cos: return "cos";
    case Op::tan: return "tan";
    case Op::asin: return "asin";
    case Op::acos: return "acos";
    case Op::atan: return "atan";
    case Op::sinh: return "sinh";
    case Op::cosh: return "cosh";
    case Op::tanh: return "tanh";
    case Op::asinh: return "asinh";
    case Op::acosh: return "acosh";
    case Op::atanh: return "atanh";
    default: return nullptr;
  }
}

// Names as the x86-64 vector function ABI forms them: b, d and e for registers of 128, 256 and 512 bits.
VectorFunction vector_function(Op op, int lanes) {
  static void* const library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr || library_name(op) == nullptr) return {};
  const char* registers = lanes == 2 ? "_ZGVbN2v" : lanes == 4 ? "_ZGVdN4v" : "_ZGVeN8v";
  const std::string name = std::string(registers) + (op == Op::power ? "v_" : "_") + library_name(op);
  return {name, dlsym(library, name.c_str())};
}

void* scalar_function(Op op) { return dlsym(RTLD_DEFAULT, library_name(op)); }

}  // namespace salvo::compile::jit
