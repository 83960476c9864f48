#pragma once

// All of the library.
#include "salvo/builder.hpp"
#include "salvo/design.hpp"
#include "salvo/fit.hpp"
#include "salvo/formula.hpp"
#include "salvo/issue.hpp"
#include "salvo/objective.hpp"
#include "salvo/problem.hpp"
#include "salvo/read.hpp"
#include "salvo/report.hpp"
#include "salvo/result.hpp"
#include "salvo/run.hpp"
