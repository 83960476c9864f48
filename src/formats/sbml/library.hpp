#pragma once

#include <string>

#include "formats/sbml/libsbml/entry.hpp"

namespace salvo::formats::sbml {

// What the library that knows libsbml offers, or why it cannot be loaded.
struct Library {
  ReadFunction read = nullptr;
  WriteFunction write = nullptr;
  std::string trouble{};
};

// libsbml takes longer to load than a small fit takes: only who needs SBML pays for it, once.
const Library& library();

}  // namespace salvo::formats::sbml
