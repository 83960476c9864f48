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
  // Beside the program, as its run path says, or where it was installed.
  void* library = dlopen("libsalvo_jit.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen(SALVO_JIT_INSTALLED, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, dlerror()};
  void* function = dlsym(library, "salvo_jit_translate");
  return {reinterpret_cast<Translate>(function), function == nullptr ? "libsalvo_jit.so is of another version" : ""};
}

}  // namespace

NativeCode translate(const std::vector<NativeOrder>& orders, const StopFlag* stop) {
  static const Translator translator = load();
  if (translator.translate == nullptr) return {.trouble = translator.trouble};
  return translator.translate(orders, stop);
}

}  // namespace salvo::compile
