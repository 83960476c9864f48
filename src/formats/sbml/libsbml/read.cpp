#include <fmt/format.h>
#include <sbml/SBMLTypes.h>

#include <memory>

#include "formats/sbml/libsbml/elements.hpp"
#include "formats/sbml/libsbml/entry.hpp"

namespace salvo::formats::sbml {
namespace {

std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

void add_errors(const SBMLDocument& document, IssueLog& log) {
  for (unsigned i = 0; i < document.getNumErrors(); ++i) {
    const SBMLError& error = *document.getError(i);
    // XML that does not state its encoding is UTF-8.
    const bool is_harmless = error.getErrorId() == MissingXMLEncoding || error.getErrorId() == MissingXMLDecl;
    if (error.getSeverity() < LIBSBML_SEV_ERROR || is_harmless) continue;
    log.add({static_cast<int>(error.getLine()), static_cast<int>(error.getColumn())},
            in_one_line(error.getShortMessage().empty() ? error.getMessage() : error.getShortMessage()),
            in_one_line(error.getMessage()).substr(0, 300));
  }
}

void read_document(const SBMLDocument& document, Model& model, IssueLog& log, Issues& unsupported) {
  if (document.getLevel() < 2) {
    unsupported.push_back(
        {.kind = Issue::Kind::unsupported, .file = log.file(), .message = "SBML Level 1", .is_feature = true});
    return;
  }
  if (document.getModel() == nullptr) return log.add({1, 1}, "the file contains no model");
  ElementReader elements(*document.getModel(), model, log);
  elements.read();
  unsupported = elements.unsupported();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void salvo_sbml_read(ReaderRequest& request) {
  const std::unique_ptr<SBMLDocument> document(readSBMLFromString(request.text.c_str()));
  IssueLog log(request.file);
  Issues unsupported;
  add_errors(*document, log);
  if (log.empty()) read_document(*document, request.model, log, unsupported);
  request.issues = log.empty() ? unsupported : shorten(log.issues(), log.left_out());
}

}  // namespace salvo::formats::sbml
