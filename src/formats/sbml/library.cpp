#include "formats/sbml/library.hpp"

#include <dlfcn.h>

namespace salvo::formats::sbml {
namespace {

Library load() {
  // Where the run path of the program leads, or where it was installed.
  void* handle = dlopen("libsalvo_sbml.so", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) handle = dlopen(SALVO_SBML_INSTALLED, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return {.trouble = "libsalvo_sbml.so cannot be loaded; was Salvo built with libsbml and installed whole?"};
  void* read = dlsym(handle, reader_function);
  void* write = dlsym(handle, writer_function);
  if (read == nullptr || write == nullptr) return {.trouble = "libsalvo_sbml.so is of another version"};
  return {.read = reinterpret_cast<ReadFunction>(read), .write = reinterpret_cast<WriteFunction>(write)};
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

}  // namespace salvo::formats::sbml
