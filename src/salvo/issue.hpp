#pragma once

// What is wrong with an input, and either a value or all that is wrong: salvo::Issue, salvo::Result.
#include "base/issue.hpp"
#include "base/result.hpp"
