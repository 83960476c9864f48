#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

#include "base/result.hpp"

namespace salvo::report {

// The text of a JSON file that a fit has written, with at least these members; an Issue if it is something else.
Result<std::string> read_fit_file(const std::filesystem::path& path, std::initializer_list<const char*> members);

Issue unreadable_fit(std::string file, std::string message);

}  // namespace salvo::report
