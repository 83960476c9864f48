#pragma once

#include <string>
#include <string_view>

#include "base/issue.hpp"

namespace salvo::formats::sbml {

// What must be known of an XML text before a parser of XML may see it. Refused are document types, and with them all
// entities, within the file or outside of it; encodings in which such things could hide; elements nested so deep that a
// parser's stack might not hold them; and content of SBML packages without which the model means something else.
Issues check_xml(const std::string& file, std::string_view text);

}  // namespace salvo::formats::sbml
