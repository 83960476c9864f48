#pragma once

#include <string>

#include "base/spelling.hpp"
#include "results/grid_error.hpp"

namespace salvo::words {

// What the message of a fit says of its grid, with a blank before it; empty where that is not worth a word.
std::string about_grid(const GridError& grid, const Spelling& spelling);

// "D by 0.23 standard errors", of what the grid moves most.
std::string worst_of_grid(const GridError& grid);

// So many cells would make the error small, as far as it goes on to fall as it does.
int enough_cells(const GridError& grid);

}  // namespace salvo::words
