#pragma once

// A problem as plain data, as builder and readers make it: salvo::model::Problem.
#include "model/choices.hpp"
#include "model/problem.hpp"
