#pragma once

#include <string>
#include <string_view>

#include "base/issue.hpp"
#include "options/door.hpp"

namespace salvo::cli {

// Writes to standard output; throws std::runtime_error if it cannot be written.
void print(std::string_view text);
void print_error(std::string_view text);

// Shows what is wrong on standard error, with `json` also as one object on standard output, and returns the exit code
// that the worst of the issues asks for.
int refuse(const Issues& issues, bool json = false);

// The issue without anything that a terminal would obey.
std::string shown(const Issue& issue);

using options::usage_issue;

bool is_terminal_out();  // standard output takes control characters
bool is_terminal_err();
int terminal_width_err();  // as it is now; what COLUMNS says, or 80, where the terminal does not tell

// How wide sentences are set: 80 columns, or the terminal where that is narrower.
std::size_t sentence_width_out();
std::size_t sentence_width_err();

// One remark on standard error, broken between words.
void print_note(std::string_view text);

bool wants_colour();  // standard output is a terminal, and NO_COLOR is not set

}  // namespace salvo::cli
