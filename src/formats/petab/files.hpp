#pragma once

#include "formats/petab/draft.hpp"

namespace salvo::formats::petab {

// Is this the file of a PEtab problem? Problems of our own do not speak of a format_version.
bool is_petab(const yaml::Node& root);

// Reads which files the problem consists of. Only files within the folder of the problem are taken.
void read_files(Draft& draft, const yaml::Node& root);

}  // namespace salvo::formats::petab
