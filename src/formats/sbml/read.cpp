#include "formats/sbml/read.hpp"

#include <dlfcn.h>

#include "formats/sbml/guard.hpp"
#include "formats/sbml/reader/reader.hpp"
#include "formats/text_file.hpp"

namespace salvo::formats::sbml {
namespace {

struct Reader {
  ReadFunction read = nullptr;
  std::string trouble{};
};

// libsbml takes longer to load than a small fit takes: only who reads SBML pays for it.
Reader load() {
  // Beside the program, as its run path says, or where it was installed.
  void* library = dlopen("libsalvo_sbml.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen(SALVO_SBML_INSTALLED, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, dlerror()};
  void* function = dlsym(library, reader_function);
  return {reinterpret_cast<ReadFunction>(function),
          function == nullptr ? "libsalvo_sbml.so is of another version" : ""};
}

}  // namespace

Result<Model> read_model(const std::string& path) {
  Result<std::string> text = read_bytes(path);
  if (!text) return text.issues();
  if (Issues issues = check_xml(path, *text); !issues.empty()) return issues;
  static const Reader reader = load();
  if (reader.read == nullptr)
    return Issue{.kind = Issue::Kind::unreadable, .file = path, .message = "SBML cannot be read: " + reader.trouble};
  ReaderRequest request{.file = path, .text = *std::move(text)};
  reader.read(request);
  if (!request.issues.empty()) return request.issues;
  return std::move(request.model);
}

}  // namespace salvo::formats::sbml
