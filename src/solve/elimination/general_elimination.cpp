#include "solve/elimination/general_elimination.hpp"

#include <algorithm>
#include <optional>

#include "dense/householder_qr.hpp"
#include "dense/pivoted_qr.hpp"
#include "solve/elimination/constraint_rows.hpp"
#include "solve/elimination/null_space_basis.hpp"
#include "solve/elimination/product.hpp"
#include "solve/elimination/views.hpp"
#include "solve/quadratic/reduced_problem.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::vector<double> to_vector(const VectorXd& v) { return {v.data(), v.data() + v.size()}; }

}  // namespace

// A tame chain: its ends are particular + by_theta θ + by_free w. w is eliminated from the rows, unless constraints at
// nodes have a say in it: then it is kept beside θ.
class TameEnds {
 public:
  TameEnds(const ChainElimination& chain, NullSpaceBasis ends, double rank_tolerance, bool keep_free)
      : set_(std::move(ends)), keep_free_(keep_free) {
    rows_by_ends_ = chain.rows_by_ends();
    by_theta_ = set_.particular(chain.constraint_by_theta());
    const MatrixXd rows_by_theta = chain.rows_by_theta() + product(rows_by_ends_, by_theta_);
    theta_squares_ = rows_by_theta.colwise().squaredNorm().transpose();
    if (has_free_rows()) {
      const MatrixXd rows_by_free = product(rows_by_ends_, set_.basis());
      telling_ = rows_by_free.rows();
      while (telling_ > 1 && rows_by_free.row(telling_ - 1).isZero(0)) --telling_;
      free_qr_ = dense::PivotedQr(rows_by_free.topRows(telling_), rank_tolerance);
    }
    const MatrixXd rotated = rotate(rows_by_theta);
    free_by_theta_ = solve_free(-rotated.topRows(rank()));
    theta_rows_ = rotated.bottomRows(rotated.rows() - rank());
  }

  Index kept() const { return keep_free_ ? set_.basis().cols() : 0; }
  MatrixXd kept_rows() const { return rows_by_ends_ * set_.basis().leftCols(kept()); }
  const MatrixXd& by_theta() const { return by_theta_; }
  const MatrixXd& by_free() const { return set_.basis(); }
  const MatrixXd& theta_rows() const { return theta_rows_; }
  const VectorXd& theta_squares() const { return theta_squares_; }

  VectorXd reduce(const ChainElimination::Constants& constants) {
    offset_ = set_.particular(constants.c);
    const VectorXd rotated = rotate(constants.l + rows_by_ends_ * offset_);
    free_offset_ = solve_free(-rotated.head(rank()));
    return rotated.tail(rotated.size() - rank());
  }
  VectorXd ends(const VectorXd& theta, const VectorXd& kept_free) const {
    const VectorXd free = keep_free_ ? kept_free : VectorXd(free_offset_ + free_by_theta_ * theta);
    return offset_ + by_theta_ * theta + set_.basis() * free;
  }

 private:
  bool has_free_rows() const { return !keep_free_ && set_.basis().cols() > 0 && rows_by_ends_.rows() > 0; }
  Index rank() const { return has_free_rows() ? free_qr_.rank() : 0; }
  MatrixXd rotate(const MatrixXd& rows) const {
    if (!has_free_rows() || rows.cols() == 0) return rows;
    MatrixXd rotated = rows;
    free_qr_.rotate(rotated.topRows(telling_));
    return rotated;
  }
  // The free motion from its first rows; directions that the rows cannot see stay put.
  MatrixXd solve_free(const MatrixXd& rhs) const {
    MatrixXd w = MatrixXd::Zero(set_.basis().cols(), rhs.cols());
    if (rank() == 0 || rhs.cols() == 0) return w;
    w.topRows(rank()) = free_qr_.solve_R(rhs);
    return free_qr_.columns() * w;
  }

  NullSpaceBasis set_;
  bool keep_free_;
  MatrixXd rows_by_ends_, by_theta_, free_by_theta_, theta_rows_;
  Index telling_ = 0;  // rows up to the last one that depends on the ends; condensed chains have a triangle
  dense::PivotedQr free_qr_;
  VectorXd theta_squares_, offset_, free_offset_;
};

// The reduced problem: unknowns y = (θ, what is kept of each chain), where an ill-conditioned chain keeps its ends and
// a tame one with constraints at nodes its free motion. E y + e = 0 for the ill-conditioned chains, rows F y + f. With
// ill-conditioned chains it is solved in the coordinates w of y = particular + basis w.
struct GeneralElimination::Implementation {
  const nlp::Layout& layout;
  VectorXd size;
  double rank_tolerance;
  std::vector<ChainElimination> chains;
  std::vector<std::optional<TameEnds>> tame;
  std::vector<Index> kept_at;  // column in y of what a chain keeps
  ConstraintRows constraints;
  Matrix constraint_matrix;  // of the constraints, in θ or w
  std::optional<NullSpaceBasis> ends_set;
  MatrixXd F;      // in y
  Matrix reduced;  // in θ or w, at most as many rows as columns
  dense::HouseholderQr qr;
  bool compressed = false;
  RankTest rule;

  Implementation(const nlp::Layout& where, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                 CondensedChains& condensed, double tolerance)
      : layout(where),
        size(map(sizes)),
        rank_tolerance(tolerance),
        chains(eliminate_chains(where, blocks, sizes, condensed)),
        constraints(where, blocks, sizes) {
    const Index m = layout.thetas;
    Index columns = m;
    Index equations = 0;
    Index count = static_cast<Index>(blocks.priors.r.size());
    for (const ChainElimination& chain : chains) {
      kept_at.push_back(columns);
      NullSpaceBasis ends(chain.constraint_by_ends());
      if (ends.is_ill_conditioned()) {
        tame.push_back(std::nullopt);
        columns += chain.ends();
        equations += chain.constraints();
        count += chain.rows_by_ends().rows();
      } else {
        tame.emplace_back(std::in_place, chain, std::move(ends), tolerance,
                          constraints.speaks_of(static_cast<int>(tame.size())));
        columns += tame.back()->kept();
        count += tame.back()->theta_rows().rows();
      }
    }
    fill(blocks, count, columns, equations);
    reduce_rows();
    constraint_matrix =
        to_matrix(ends_set ? MatrixXd(constraints_by_y(columns) * ends_set->basis()) : constraints_by_y(columns));
  }

  void fill(const nlp::Blocks& blocks, Index count, Index columns, Index equations) {
    const Index m = layout.thetas;
    F = MatrixXd::Zero(count, columns);
    MatrixXd E = MatrixXd::Zero(equations, columns);
    VectorXd squares = VectorXd::Zero(columns);
    Index row = 0;
    Index link = 0;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      if (tame[c]) {
        F.block(row, 0, tame[c]->theta_rows().rows(), m) = tame[c]->theta_rows();
        squares.head(m) += tame[c]->theta_squares();
        if (const Index kept = tame[c]->kept(); kept > 0) {
          F.block(row, kept_at[c], tame[c]->theta_rows().rows(), kept) = tame[c]->kept_rows();
          squares.segment(kept_at[c], kept) = tame[c]->kept_rows().colwise().squaredNorm().transpose();
        }
        row += tame[c]->theta_rows().rows();
        continue;
      }
      const MatrixXd by_ends = chains[c].rows_by_ends();
      F.block(row, 0, by_ends.rows(), m) = chains[c].rows_by_theta();
      F.block(row, kept_at[c], by_ends.rows(), by_ends.cols()) = by_ends;
      row += by_ends.rows();
      E.block(link, 0, chains[c].constraints(), m) = chains[c].constraint_by_theta();
      E.block(link, kept_at[c], chains[c].constraints(), chains[c].ends()) = chains[c].constraint_by_ends();
      link += chains[c].constraints();
    }
    F.block(row, 0, count - row, m) = map(blocks.priors.by_theta) * size.head(m).asDiagonal();
    squares.head(m) += F.block(row, 0, count - row, m).colwise().squaredNorm().transpose();
    rule.tolerance = rank_tolerance;
    rule.lengths = to_vector(squares.cwiseSqrt());
    if (equations == 0) return;
    ends_set.emplace(E);
    const double longest = (F * ends_set->basis()).colwise().norm().maxCoeff();
    rule.lengths.assign(ends_set->basis().cols(), longest);
  }

  MatrixXd constraints_by_y(Index columns) const {
    if (constraints.count() == 0) return MatrixXd::Zero(0, columns);
    const Index m = layout.thetas;
    const MatrixXd theta = MatrixXd::Identity(m, columns);
    std::vector<std::vector<MatrixXd>> nodes(chains.size());
    for (int c = 0; c < static_cast<int>(chains.size()); ++c) {
      if (!constraints.speaks_of(c)) continue;
      MatrixXd ends = MatrixXd::Zero(chains[c].ends(), columns);
      if (tame[c]) {
        ends.leftCols(m) = tame[c]->by_theta();
        ends.middleCols(kept_at[c], tame[c]->kept()) = tame[c]->by_free();
      } else {
        ends.middleCols(kept_at[c], chains[c].ends()).setIdentity();
      }
      nodes[c] = chains[c].motion(ends, theta);
    }
    return constraints.by(theta, nodes);
  }

  void reduce_rows() {
    MatrixXd rows = ends_set ? MatrixXd(F * ends_set->basis()) : F;
    compressed = rows.rows() > rows.cols() && rows.cols() > 0;
    if (compressed) {
      qr.compute(rows);
      rows = qr.R();
    }
    reduced = to_matrix(rows);
  }

  // With the residuals, gaps and constraints of `blocks`, of which f was made.
  ReducedProblem small_problem(const nlp::Blocks& blocks, const std::vector<double>& f) const {
    const Index m = layout.thetas;
    const VectorXd c = constraints.at(blocks, expand(std::vector<double>(reduced.cols, 0.0)));
    return {.F = reduced,
            .f = f,
            .rule = rule,
            .constraints = {constraint_matrix, to_vector(c), constraints.equality()},
            .theta = to_matrix(ends_set ? MatrixXd(ends_set->basis().topRows(m)) : MatrixXd::Identity(m, reduced.cols)),
            .theta_at_zero = ends_set ? to_vector(particular.head(m)) : std::vector<double>(m, 0.0)};
  }

  VectorXd particular;  // y of the ill-conditioned chains' constraints alone

  std::vector<double> reduce(const nlp::Blocks& blocks) {
    std::vector<double> f;
    std::vector<double> e;
    for (std::size_t c = 0; c < chains.size(); ++c) {
      const ChainElimination::Constants constants = chains[c].reduce(blocks.chains[c]);
      const VectorXd part = tame[c] ? tame[c]->reduce(constants) : constants.l;
      f.insert(f.end(), part.data(), part.data() + part.size());
      if (!tame[c]) e.insert(e.end(), constants.c.data(), constants.c.data() + constants.c.size());
    }
    f.insert(f.end(), blocks.priors.r.begin(), blocks.priors.r.end());
    VectorXd total = map(f);
    if (ends_set) {
      particular = ends_set->particular(map(e));
      total += F * particular;
    }
    if (!compressed) return to_vector(total);
    qr.rotate(total);
    return to_vector(total.head(reduced.cols));
  }

  std::vector<double> expand(const std::vector<double>& x) const {
    const VectorXd y = ends_set ? VectorXd(particular + ends_set->basis() * map(x)) : VectorXd(map(x));
    const VectorXd theta = y.head(layout.thetas);
    std::vector<double> delta(layout.unknowns, 0.0);
    for (Index i = 0; i < layout.thetas; ++i) delta[i] = theta[i] * size[i];
    for (std::size_t c = 0; c < chains.size(); ++c) {
      const VectorXd kept = y.segment(kept_at[c], tame[c] ? tame[c]->kept() : chains[c].ends());
      const VectorXd ends = tame[c] ? tame[c]->ends(theta, kept) : kept;
      const std::vector<VectorXd> v = chains[c].expand(ends, theta);
      for (std::size_t j = 0; j < v.size(); ++j)
        std::copy(v[j].data(), v[j].data() + v[j].size(), delta.begin() + layout.chains[c].offset[j]);
    }
    return delta;
  }
};

GeneralElimination::GeneralElimination(const nlp::Layout& layout, const nlp::Blocks& blocks,
                                       const std::vector<double>& sizes, CondensedChains& condensed,
                                       double rank_tolerance)
    : implementation_(std::make_unique<Implementation>(layout, blocks, sizes, condensed, rank_tolerance)) {}

GeneralElimination::~GeneralElimination() = default;

Elimination::Step GeneralElimination::solve(const nlp::Blocks& blocks, const nlp::Point& q) {
  Implementation& self = *implementation_;
  const std::vector<double> f = self.reduce(blocks);
  std::vector<double> lower(self.layout.thetas);
  std::vector<double> upper(self.layout.thetas);
  for (int i = 0; i < self.layout.thetas; ++i) {
    lower[i] = std::min(0.0, (self.layout.lower[i] - q[i]) / self.size[i]);
    upper[i] = std::max(0.0, (self.layout.upper[i] - q[i]) / self.size[i]);
  }
  if (self.constraints.count() == 0 && !self.ends_set) {
    BoundedSolution solution = bounded_least_squares(self.reduced, f, lower, upper, self.rule);
    return {.delta = self.expand(solution.x), .held = std::move(solution.held)};
  }
  ReducedStep small = solve_reduced(self.small_problem(blocks, f), lower, upper);
  Elimination::Step step{.delta = self.expand(small.x),
                         .held = std::move(small.held),
                         .active = std::move(small.active),
                         .multipliers = std::move(small.multipliers),
                         .conflict = std::move(small.conflict)};
  for (int i = 0; i < self.constraints.count(); ++i) step.multipliers[i] /= self.constraints.size(i);
  return step;
}

std::vector<double> GeneralElimination::correct(const nlp::Blocks& blocks, const Elimination::Step& step) {
  Implementation& self = *implementation_;
  const std::vector<double> f = self.reduce(blocks);
  if (self.constraints.count() == 0 && !self.ends_set)
    return self.expand(least_squares(self.reduced, f, step.held, self.rule));
  return self.expand(correct_reduced(self.small_problem(blocks, f), step.held, step.active));
}

}  // namespace salvo::solve
