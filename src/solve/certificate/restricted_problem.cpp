#include "solve/certificate/restricted_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dense/row_space.hpp"
#include "nlp/constraints.hpp"
#include "solve/elimination/views.hpp"
#include "solve/quadratic/joined_problem.hpp"
#include "solve/state/units.hpp"

namespace salvo::solve {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-12;  // of a constraint that stays as it is, relative to its size
constexpr int corrections = 8;      // Newton steps back to what is active

// J D of all rows, one below the other.
MatrixXd all_rows(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& units,
                  std::vector<double>& r) {
  r = blocks.priors.r;
  for (const nlp::ChainBlocks& chain : blocks.chains)
    for (const nlp::Rows& rows : chain.rows) r.insert(r.end(), rows.r.begin(), rows.r.end());
  MatrixXd J = MatrixXd::Zero(static_cast<Index>(r.size()), layout.unknowns);
  Index first = 0;
  const auto add = [&](const Matrix& from, Index column) {
    for (int k = 0; k < (from.rows > 0 ? from.cols : 0); ++k)
      for (int i = 0; i < from.rows; ++i) J(first + i, column + k) = from(i, k) * units[column + k];
  };
  add(blocks.priors.by_theta, 0);
  first += static_cast<Index>(blocks.priors.r.size());
  for (std::size_t c = 0; c < blocks.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].rows.size(); ++j) {
      const nlp::Rows& rows = blocks.chains[c].rows[j];
      add(rows.by_theta, 0);
      add(rows.by_block, layout.chains[c].offset[j]);
      first += static_cast<Index>(rows.r.size());
    }
  return J;
}

}  // namespace

RestrictedProblem::RestrictedProblem(const nlp::Problem& problem, const nlp::Point& q, const nlp::Blocks& at,
                                     double met, IsAllowed is_allowed)
    : problem_(problem), q_(q), met_(met), is_allowed_(std::move(is_allowed)), units_(units_of(problem, q)) {
  constraint_sizes_ = nlp::constraint_sizes(problem.layout(), at, units_);
  const Constrained here = constraints_of(at);
  c_ = here.c;
  std::vector<double> r;
  const MatrixXd J = all_rows(problem.layout(), at, units_, r);
  held_ = met_at(here, met);
  leave_what_lets_go(held_, here, J.transpose() * map(r));
  if (held_.empty()) {
    along_ = MatrixXd::Identity(static_cast<Index>(q.size()), static_cast<Index>(q.size()));
    across_ = MatrixXd(static_cast<Index>(q.size()), 0);
  } else {
    dense::RowSpace space = dense::row_space(gradients_of(held_, here), rounding);
    along_ = std::move(space.unseen);
    across_ = std::move(space.seen);
  }
  layout_.thetas = static_cast<int>(along_.cols());
  layout_.unknowns = layout_.thetas;
  layout_.lower.assign(layout_.thetas, -std::numeric_limits<double>::infinity());
  layout_.upper.assign(layout_.thetas, std::numeric_limits<double>::infinity());
  layout_.decade.assign(layout_.thetas, 0.0);
  layout_.noise_only.assign(layout_.thetas, false);
}

RestrictedProblem::Constrained RestrictedProblem::constraints_of(const nlp::Blocks& blocks) const {
  Constrained out;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    out.c.insert(out.c.end(), constraints.c.begin(), constraints.c.end());
    out.equality.insert(out.equality.end(), constraints.equality.begin(), constraints.equality.end());
  });
  out.gradients = MatrixXd::Zero(static_cast<Index>(out.c.size()), static_cast<Index>(q_.size()));
  Index row = 0;
  nlp::each_constraints(blocks, [&](int chain, int block, const nlp::Constraints& constraints) {
    const int offset = chain < 0 ? 0 : problem_.layout().chains[chain].offset[block];
    for (int i = 0; i < static_cast<int>(constraints.c.size()); ++i, ++row) {
      const double size = constraint_sizes_[row];
      for (int k = 0; k < constraints.by_theta.cols; ++k)
        out.gradients(row, k) = constraints.by_theta(i, k) * units_[k] / size;
      for (int k = 0; k < constraints.by_block.cols; ++k)
        out.gradients(row, offset + k) = constraints.by_block(i, k) * units_[offset + k] / size;
    }
  });
  return out;
}

std::vector<RestrictedProblem::Row> RestrictedProblem::met_at(const Constrained& at, double met) const {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < at.c.size(); ++i)
    if (at.equality[i] || at.c[i] >= -met * constraint_sizes_[i])
      rows.push_back({.constraint = static_cast<int>(i), .is_equality = at.equality[i]});
  const nlp::Layout& layout = problem_.layout();
  for (int i = 0; i < static_cast<int>(q_.size()); ++i) {
    if (q_[i] <= layout.lower[i]) rows.push_back({.unknown = i, .side = -1});
    if (q_[i] >= layout.upper[i]) rows.push_back({.unknown = i, .side = 1});
  }
  return rows;
}

MatrixXd RestrictedProblem::gradients_of(const std::vector<Row>& rows, const Constrained& at) const {
  MatrixXd A = MatrixXd::Zero(static_cast<Index>(rows.size()), static_cast<Index>(q_.size()));
  for (Index i = 0; i < A.rows(); ++i) {
    if (rows[i].constraint >= 0)
      A.row(i) = at.gradients.row(rows[i].constraint);
    else
      A(i, rows[i].unknown) = rows[i].side;
  }
  return A;
}

void RestrictedProblem::leave_what_lets_go(std::vector<Row>& rows, const Constrained& at,
                                           const VectorXd& gradient) const {
  while (!rows.empty()) {
    // g + A'lambda = 0 as well as can be.
    const MatrixXd A = gradients_of(rows, at);
    const dense::RowSpace space = dense::row_space(A.transpose(), rounding);
    const VectorXd by_singular = (A.transpose() * space.seen).transpose() * -gradient;
    const VectorXd multipliers = space.seen * by_singular.cwiseQuotient(space.singular.cwiseProduct(space.singular));
    std::size_t least = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!rows[i].is_equality && !(multipliers[static_cast<Index>(i)] > 0) &&
          (least == rows.size() || multipliers[static_cast<Index>(i)] < multipliers[static_cast<Index>(least)]))
        least = i;
    if (least == rows.size()) return;
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

bool RestrictedProblem::holds(const nlp::Point& q, const Constrained& at) const {
  for (std::size_t i = 0; i < at.c.size(); ++i)
    if (!at.equality[i] && at.c[i] > std::max(c_[i], 0.0) + met_ * constraint_sizes_[i]) return false;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double close = rounding * units_[i];
    if (q[i] < problem_.layout().lower[i] - close || q[i] > problem_.layout().upper[i] + close) return false;
  }
  return !is_allowed_ || is_allowed_(q);
}

nlp::Evaluation RestrictedProblem::reach(const nlp::Point& y, const nlp::Request& request, nlp::Point& q,
                                         nlp::Blocks& blocks, MatrixXd& by_y) const {
  VectorXd moved = along_ * map(y);
  for (int n = 0; n < corrections; ++n) {
    q = q_;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += units_[i] * moved[static_cast<Index>(i)];
    const nlp::Evaluation at = problem_.values(q, request, blocks);
    if (!at.ok) return at;
    const Constrained there = constraints_of(blocks);
    const MatrixXd A = gradients_of(held_, there);
    VectorXd off = A * VectorXd::Zero(A.cols());
    for (Index i = 0; i < off.size(); ++i)
      if (const int row = held_[i].constraint; row >= 0) off[i] = (there.c[row] - c_[row]) / constraint_sizes_[row];
    by_y = along_;
    if (held_.empty() || across_.cols() == 0) return at;
    const MatrixXd steep = A * across_;
    const MatrixXd normal = steep.transpose() * steep;
    const auto solved = normal.ldlt();
    if (off.size() == 0 || off.cwiseAbs().maxCoeff() <= rounding) {
      by_y -= across_ * solved.solve(steep.transpose() * (A * along_));
      return at;
    }
    moved -= across_ * solved.solve(steep.transpose() * off);
    if (!moved.allFinite()) break;
  }
  return {.ok = false, .trouble = "the constraints cannot be kept there"};
}

nlp::Point RestrictedProblem::point(const nlp::Point& y, const nlp::Request& request) const {
  nlp::Point q;
  nlp::Blocks blocks;
  MatrixXd by_y;
  return reach(y, request, q, blocks, by_y).ok ? q : nlp::Point{};
}

std::vector<double> RestrictedProblem::direction(const std::vector<double>& along) const {
  const VectorXd d = along_ * map(along);
  return {d.data(), d.data() + d.size()};
}

nlp::Evaluation RestrictedProblem::values(const nlp::Point& y, const nlp::Request& request, nlp::Blocks& out) const {
  nlp::Point q;
  nlp::Blocks blocks;
  MatrixXd by_y;
  nlp::Evaluation at = reach(y, request, q, blocks, by_y);
  if (at.ok && !holds(q, constraints_of(blocks)))
    at = {.ok = false, .trouble = "a constraint or a bound is in the way"};
  out = {};
  out.objective = blocks.objective;
  return at;
}

nlp::Evaluation RestrictedProblem::linearize(const nlp::Point& y, const nlp::Request& request, nlp::Blocks& out) const {
  nlp::Point q;
  nlp::Blocks blocks;
  MatrixXd by_y;
  if (const nlp::Evaluation at = reach(y, request, q, blocks, by_y); !at.ok) return at;
  const nlp::Evaluation at = problem_.linearize(q, request, blocks);
  if (!at.ok) return at;
  out = {};
  out.objective = blocks.objective;
  out.priors.by_theta = to_matrix(all_rows(problem_.layout(), blocks, units_, out.priors.r) * by_y);
  return at;
}

nlp::Evaluation RestrictedProblem::adjoint(const nlp::Point& y, const nlp::Request& request,
                                           const nlp::GapWeights& weights, nlp::Gradients& out) const {
  nlp::Point q;
  nlp::Blocks blocks;
  MatrixXd by_y;
  if (const nlp::Evaluation at = reach(y, request, q, blocks, by_y); !at.ok) return at;
  const nlp::Evaluation at = problem_.adjoint(q, request, weights, out);
  if (!at.ok) return at;
  for (std::size_t i = 0; i < q.size(); ++i) out.objective_by_q[i] *= units_[i];
  const VectorXd gradient = by_y.transpose() * map(out.objective_by_q);
  out.objective_by_q.assign(gradient.data(), gradient.data() + gradient.size());
  out.links.clear();
  return at;
}

nlp::Evaluation RestrictedProblem::linearize_nodes(const nlp::Point&, const nlp::Request&, nlp::Blocks&,
                                                   std::unique_ptr<nlp::Products>&) const {
  return {.ok = false, .trouble = "there are no nodes"};
}

Certificate certify_restricted(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                               double accuracy, const Rules& rules, const IsAllowed& is_allowed,
                               const RunContext& context, nlp::Point& lower) {
  nlp::Request full = request;
  full.accuracy = 0;
  full.max_steps = 0;
  nlp::Blocks at;
  if (const nlp::Evaluation here = problem.linearize(q, full, at); !here.ok) return {.missing = here.trouble};
  if (at.violation > rules.gaps.joined) return {.missing = "the constraints do not hold"};
  const RestrictedProblem restricted(problem, q, at, rules.gaps.joined, is_allowed);
  Certificate out{.gain = 0, .rank = 0};
  if (restricted.layout().unknowns > 0)
    out = certify(restricted, nlp::Point(restricted.layout().unknowns, 0.0), full, accuracy, rules, context, lower);
  if (!lower.empty()) lower = restricted.point(lower, full);
  for (Probe& probe : out.probes) probe.direction = restricted.direction(probe.direction);
  if (out.rank) *out.rank += restricted.taken();
  return out;
}

}  // namespace salvo::solve
