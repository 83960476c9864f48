#pragma once

// Which experiment next? salvo::design, and salvo::report::designs for its result as text and files.
#include "design/design.hpp"
#include "report/designs/designs.hpp"
