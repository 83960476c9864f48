#pragma once

#include "estimate/ways/way.hpp"

namespace salvo::test {

// A way that the library does not have: a file with its `run`, and a row of a strategy that names it, are all it takes.
extern const estimate::Way random_restart;

}  // namespace salvo::test
