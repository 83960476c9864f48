#pragma once

#include <string>

#include "base/issue.hpp"
#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// What the library of its own that knows libsbml makes of a text. The function is found by its name when the library is
// loaded; `file` names the text in Issues.
struct ReaderRequest {
  std::string file{};
  std::string text{};
  Model model{};
  Issues issues{};  // all that is wrong; if nothing is, all that is not supported
};
using ReadFunction = void (*)(ReaderRequest&);
inline constexpr const char* reader_function = "salvo_sbml_read";

}  // namespace salvo::formats::sbml
