#pragma once

#include <vector>

#include "nlp/problem.hpp"

namespace salvo::statistics {

// How unit errors of the estimates move each row of the objective: column i of the result is (J_i root)', with
// root root' the covariance of (theta, v_0 of each chain). Its squared length is the leverage of row i. Rows are
// counted chain by chain, block by block; the priors of theta follow.
Matrix row_influence(const nlp::Layout& layout, const nlp::Blocks& blocks, const Matrix& root);

// Multiply-adds that it takes.
double influence_work(const nlp::Layout& layout, const nlp::Blocks& blocks, const Matrix& root);

}  // namespace salvo::statistics
