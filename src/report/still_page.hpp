#pragma once

#include <string>

namespace salvo::report {

// The styles of a page that runs no script: its colours are those that the reader's system asks for.
std::string styles_of_still_page();

}  // namespace salvo::report
