#pragma once

// Problem files, or their text: salvo::formats::read_problem and read_problem_text.
#include "formats/problem/read.hpp"
