#pragma once

#include <Eigen/Core>
#include <vector>

#include "base/random.hpp"
#include "nlp/problem.hpp"

// Random blocks of a linearised problem, and the same problem as one dense system.
namespace salvo::test {

struct BlockProblem {
  nlp::Layout layout{};
  nlp::Blocks blocks{};
  std::vector<double> sizes{};
};

Matrix random_matrix(Random& random, int rows, int cols, double size = 1);
std::vector<double> random_vector(Random& random, int count);

struct ChainShape {
  int links = 1;
  int free_initial = 2;  // size of v_0
  int rows_per_node = 2;
  double growth = 1;  // typical size of G_s
};

BlockProblem random_blocks(std::uint64_t seed, int thetas, int states, const std::vector<ChainShape>& shapes,
                           int priors = 0);

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// min |r + J x| s.t. g + G x = 0, every block at its place.
struct Dense {
  LongMatrix J, G;
  LongVector r, g;
};

Dense dense(const BlockProblem& problem);

// A basis of the null space of G, and one x with g + G x = 0.
struct NullSpace {
  LongMatrix basis;
  LongVector particular;
};
NullSpace null_space(const Dense& problem);

// The solution of the dense problem, in long double and by orthogonal transformations.
LongVector dense_step(const Dense& problem);
LongVector dense_step(const BlockProblem& problem);

// x with the least |rows x - right|.
LongVector least_squares(const LongMatrix& rows, const LongVector& right);
LongMatrix inverse(const LongMatrix& matrix);

}  // namespace salvo::test
