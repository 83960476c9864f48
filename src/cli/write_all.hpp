#pragma once

#include <string>

#include "formats/written.hpp"

namespace salvo::cli {

// All files at once, so that a problem never stands beside the data of another; the folder is made where it is missing.
void write_all(const formats::Written& written, const std::string& folder);

}  // namespace salvo::cli
