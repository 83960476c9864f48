#pragma once

#include <string>

#include "base/result.hpp"
#include "formats/file_source.hpp"
#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// Reads an SBML file (Level 2 or 3), or returns every Issue found in it.
Result<Model> read_model(const std::string& path);
Result<Model> read_model(const std::string& path, FileSource& source);

}  // namespace salvo::formats::sbml
