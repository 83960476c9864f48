#pragma once

#include <string>

#include "base/issue.hpp"
#include "formats/sbml/model.hpp"

// The functions of the library of its own that knows libsbml. They are found by their names when the library is loaded.
namespace salvo::formats::sbml {

// What libsbml makes of a text; `file` names the text in Issues.
struct ReaderRequest {
  std::string file{};
  std::string text{};
  Model model{};
  Issues issues{};  // all that is wrong; if nothing is, all that is not supported
};
using ReadFunction = void (*)(ReaderRequest&);
inline constexpr const char* reader_function = "salvo_sbml_read";

// A model as a text (Level 3 Version 2).
struct WriterRequest {
  const Model* model = nullptr;
  std::string text{};
};
using WriteFunction = void (*)(WriterRequest&);
inline constexpr const char* writer_function = "salvo_sbml_write";

}  // namespace salvo::formats::sbml
