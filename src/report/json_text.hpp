#pragma once

#include <string>

#include "report/json_number.hpp"

namespace salvo::report {

// On one line. Names come from the user's files: a byte that is not UTF-8 must not cost the whole result.
std::string compact(const Json& json);
// One line per entry of the object, and of lists of objects or lists, so that people can read it too.
std::string text_of(const Json& object);

}  // namespace salvo::report
