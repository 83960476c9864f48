#include "solve/quadratic/joined_problem.hpp"

#include <algorithm>

#include "dense/triangle.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {
namespace {

const int bundle = 512;  // rows that are rotated into the triangle at once

int rows_of(const nlp::Blocks& blocks) {
  std::size_t count = blocks.priors.r.size();
  for (const nlp::ChainBlocks& chain : blocks.chains)
    for (const nlp::Rows& rows : chain.rows) count += rows.r.size();
  return static_cast<int>(count);
}

// Rows in the columns of all unknowns, a bundle at a time: many experiments may have few rows each.
class Bundles {
 public:
  Bundles(const nlp::Blocks& blocks, const std::vector<double>& units, JoinedProblem& out)
      : units_(units), g_(out.g), triangle_(static_cast<int>(units.size())), left_(rows_of(blocks)) {}

  void add(const nlp::Rows& rows, int first_column) {
    const int count = static_cast<int>(rows.r.size());
    for (int begin = 0; begin < count;) {
      if (filled_ == size_) next();
      const int end = std::min(begin + size_ - filled_, count);
      if (rows.by_theta.rows > 0) fill(rows, rows.by_theta, 0, begin, end);
      if (rows.by_block.rows > 0) fill(rows, rows.by_block, first_column, begin, end);
      filled_ += end - begin;
      begin = end;
      if (filled_ == size_) triangle_.take();
    }
  }
  const Matrix& R() const { return triangle_.R(); }

 private:
  void next() {
    size_ = std::min(bundle, left_);
    left_ -= size_;
    filled_ = 0;
    room_ = &triangle_.room(size_);
  }
  void fill(const nlp::Rows& rows, const Matrix& from, int to, int begin, int end) {
    for (int k = 0; k < from.cols; ++k)
      for (int i = begin; i < end; ++i) {
        const double slope = from(i, k) * units_[to + k];
        (*room_)(filled_ + i - begin, to + k) += slope;
        g_[to + k] += slope * rows.r[i];
      }
  }

  const std::vector<double>& units_;
  std::vector<double>& g_;
  dense::Triangle triangle_;
  Matrix* room_ = nullptr;
  int size_ = 0;    // of this bundle
  int filled_ = 0;  // of its rows
  int left_;        // rows of later ones
};

}  // namespace

void take(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& units, JoinedProblem& out) {
  out.g.assign(layout.unknowns, 0.0);
  Bundles bundles(blocks, units, out);
  bundles.add(blocks.priors, 0);
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].rows.size(); ++j)
      bundles.add(blocks.chains[c].rows[j], layout.chains[c].offset[j]);
  out.R = bundles.R();
}

void change_units(const std::vector<double>& by, JoinedProblem& problem) {
  for (int k = 0; k < problem.R.cols; ++k) {
    for (int i = 0; i < problem.R.rows; ++i) problem.R(i, k) *= by[k];
    problem.g[k] *= by[k];
  }
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
