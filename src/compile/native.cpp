#include "compile/native.hpp"

#include <dlfcn.h>

namespace salvo::compile {
namespace {

using Translate = NativeCode (*)(const std::vector<NativeOrder>&, const StopFlag*);

struct Translator {
  Translate translate = nullptr;
  std::string trouble{};
};

Translator load() {
  // Where the run path of the program leads, or where it was installed.
  void* library = dlopen("libsalvo_jit.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen(SALVO_JIT_INSTALLED, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return {nullptr, "libsalvo_jit.so cannot be loaded; was Salvo built with LLVM and installed whole?"};
  void* function = dlsym(library, "salvo_jit_translate");
  return {reinterpret_cast<Translate>(function), function == nullptr ? "libsalvo_jit.so is of another version" : ""};
}

const Translator& translator() {
  static const Translator loaded = load();
  return loaded;
}

}  // namespace

NativeCode translate(const std::vector<NativeOrder>& orders, const StopFlag* stop) {
  if (translator().translate == nullptr) return {.trouble = translator().trouble};
  return translator().translate(orders, stop);
}

std::string why_no_machine_code() { return translator().trouble; }

}  // namespace salvo::compile
