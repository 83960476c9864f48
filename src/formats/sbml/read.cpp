#include "formats/sbml/read.hpp"

#include "formats/sbml/guard.hpp"
#include "formats/sbml/library.hpp"

namespace salvo::formats::sbml {

Result<Model> read_model(const std::string& path) {
  FileSource disk;
  return read_model(path, disk);
}

Result<Model> read_model(const std::string& path, FileSource& source) {
  Result<std::string> text = source.bytes(path);
  if (!text) return text.issues();
  if (Issues issues = check_xml(path, *text); !issues.empty()) return issues;
  if (library().read == nullptr)
    return Issue{.kind = Issue::Kind::unreadable, .file = path, .message = "SBML cannot be read: " + library().trouble};
  ReaderRequest request{.file = path, .text = *std::move(text)};
  library().read(request);
  if (!request.issues.empty()) return request.issues;
  return std::move(request.model);
}

}  // namespace salvo::formats::sbml
