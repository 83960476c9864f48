#pragma once

// Problem files, or their text: salvo::formats::read_problem and read_problem_text; and the way back, between the
// formats.
#include "formats/petab/write.hpp"
#include "formats/problem/read.hpp"
#include "formats/problem/write.hpp"
