#include "solve/quadratic/joined_problem.hpp"

#include "dense/triangle.hpp"
#include "solve/views.hpp"

namespace salvo::solve {
namespace {

constexpr int bundle = 512;  // rows that are rotated into the triangle at once

// Rows of one block in the columns of all unknowns, a bundle at a time.
void add_rows(const nlp::Rows& rows, int first_column, const std::vector<double>& units, dense::Triangle& triangle,
              std::vector<double>& g) {
  const int count = static_cast<int>(rows.r.size());
  for (int begin = 0; begin < count; begin += bundle) {
    const int end = std::min(begin + bundle, count);
    Matrix& room = triangle.room(end - begin);
    const auto fill = [&](const Matrix& from, int to) {
      for (int k = 0; k < from.cols; ++k)
        for (int i = begin; i < end; ++i) {
          const double slope = from(i, k) * units[to + k];
          room(i - begin, to + k) += slope;
          g[to + k] += slope * rows.r[i];
        }
    };
    if (rows.by_theta.rows > 0) fill(rows.by_theta, 0);
    if (rows.by_block.rows > 0) fill(rows.by_block, first_column);
    triangle.take();
  }
}

}  // namespace

void take(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& units, JoinedProblem& out) {
  dense::Triangle triangle(layout.unknowns);
  out.g.assign(layout.unknowns, 0.0);
  add_rows(blocks.priors, 0, units, triangle, out.g);
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].rows.size(); ++j)
      add_rows(blocks.chains[c].rows[j], layout.chains[c].offset[j], units, triangle, out.g);
  out.R = triangle.R();
}

std::vector<double> gradient_of(const nlp::Layout& layout, const nlp::Blocks& matrices, const nlp::Blocks& residuals,
                                const std::vector<double>& units) {
  std::vector<double> g(layout.unknowns, 0.0);
  const auto add = [&](const Matrix& J, const std::vector<double>& r, int first) {
    for (int k = 0; k < (J.rows > 0 ? J.cols : 0); ++k)
      for (int i = 0; i < J.rows; ++i) g[first + k] += J(i, k) * units[first + k] * r[i];
  };
  add(matrices.priors.by_theta, residuals.priors.r, 0);
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    for (std::size_t j = 0; j < matrices.chains[c].rows.size(); ++j) {
      const nlp::Rows& rows = matrices.chains[c].rows[j];
      add(rows.by_theta, residuals.chains[c].rows[j].r, 0);
      add(rows.by_block, residuals.chains[c].rows[j].r, layout.chains[c].offset[j]);
    }
  return g;
}

std::vector<double> times_squares(const Matrix& R, const std::vector<double>& d) {
  const Eigen::VectorXd product = map(R).transpose() * (map(R) * map(d));
  return {product.data(), product.data() + product.size()};
}

}  // namespace salvo::solve
