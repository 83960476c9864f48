#pragma once

#include <string>
#include <string_view>

#include "base/issue.hpp"
#include "base/spelling.hpp"

namespace salvo::options {

// Where the words of a user come in: each door spells the names of options in its own way.
enum class Door {
  command_line,  // --max-time
  object,        // 'max-time', a member of a JSON object
  keywords,      // max_time, of a call in Python
};

// As this door spells an option that is called "--max-time" on a command line.
std::string spelled(Door door, std::string_view option);

// Wrong usage in one sentence.
Issue usage_issue(std::string message, std::string hint = {});

// What messages of a result ask to change, as the program spells it, and as a call in Python does.
Spelling as_options();
Spelling as_keywords();

}  // namespace salvo::options
