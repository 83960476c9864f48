#pragma once

#include "base/issue.hpp"
#include "model/problem.hpp"

namespace salvo::model {

// Divides space into cells (docs/mathematics.md, section 26): fields become the last states of the problem, and
// operations on them in its formulas find what stands for them in Problem::cells. What was on cells before is put on
// as many cells as `space` says now. If something cannot be, the problem stays as it is.
Issues put_on_cells(Problem& problem);

// Of a problem on cells: the largest |v| dx/D at the guess, 0 where nothing is carried along; how wide the band of its
// Jacobian is.
double largest_peclet(const Problem& problem);
bool is_central(const Problem& problem);  // cells are small enough for central differences, or these are asked for
int bandwidth(const Problem& problem);

// All of them.
int cells_of(const Problem& problem);

// The same problem on so many cells of its first coordinate, and as many times more or less of the second.
Problem with_cells(Problem problem, int cells);

}  // namespace salvo::model
