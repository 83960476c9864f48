#pragma once

#include <string_view>

#include "report/json_number.hpp"

namespace salvo::report {

// JSON that anybody may have written. What is none, or is nested deeper than anything that Salvo writes, is a discarded
// value, of which is_object() is false: copies, prints and destructors of a value go down as many calls as it is deep.
Json parse_foreign(std::string_view text);

}  // namespace salvo::report
