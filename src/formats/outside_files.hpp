#pragma once

#include <string>

#include "base/issue.hpp"

namespace salvo::formats {

// Does the file, links followed, lie elsewhere than in the folder of the problem or below?
bool is_outside(const std::string& problem_file, const std::string& file);

// A problem may name any file that its reader can open, and who runs a problem of somebody else may show its messages
// around: of a file outside the problem's folder they tell the place and nothing that stands there.
void conceal_outside_files(const std::string& problem_file, Issues& issues);

}  // namespace salvo::formats
