#include "solve/step/krylov_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/step/node_filter.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

using Vector = std::vector<double>;

const int most_products = 100;  // of conjugate gradients in one step; in none of the tests are they used up

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(Vector& to, double factor, const Vector& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
}

// to += factor * what, rows and gaps.
void add(nlp::Blocks& to, double factor, const nlp::Blocks& what) {
  for (std::size_t c = 0; c < to.chains.size(); ++c) {
    for (std::size_t j = 0; j < to.chains[c].links.size(); ++j)
      add(to.chains[c].links[j].gap, factor, what.chains[c].links[j].gap);
    for (std::size_t j = 0; j < to.chains[c].rows.size(); ++j)
      add(to.chains[c].rows[j].r, factor, what.chains[c].rows[j].r);
  }
  add(to.priors.r, factor, what.priors.r);
}

// Rows and gaps without their matrices.
nlp::Blocks numbers_of(const nlp::Blocks& blocks) {
  nlp::Blocks out;
  out.chains.resize(blocks.chains.size());
  for (std::size_t c = 0; c < blocks.chains.size(); ++c) {
    for (const nlp::Link& link : blocks.chains[c].links) out.chains[c].links.push_back({.gap = link.gap});
    for (const nlp::Rows& rows : blocks.chains[c].rows) out.chains[c].rows.push_back({.r = rows.r});
  }
  out.priors.r = blocks.priors.r;
  return out;
}

// A change of theta (in units of D) with the best change of the nodes, and what both leave of rows and gaps.
struct Motion {
  Vector u{};
  Vector delta_v{};
  nlp::Blocks left{};

  void go(double length, const Motion& other) {
    add(u, length, other.u);
    add(delta_v, length, other.delta_v);
    add(left, length, other.left);
  }
};

class Reduced {
 public:
  Reduced(const PenalisedGaps& problem, const nlp::Point& q, const std::vector<bool>& fixed)
      : problem_(problem),
        filter_(problem.layout, problem.blocks, problem.sizes, problem.rho, problem.mu),
        thetas_(problem.layout.thetas),
        free_(thetas_, true) {
    for (int i = 0; i < thetas_; ++i) {
      lower_.push_back((problem.layout.lower[i] - q[i]) / problem.sizes[i]);
      upper_.push_back((problem.layout.upper[i] - q[i]) / problem.sizes[i]);
      if (i < static_cast<int>(fixed.size()) && fixed[i]) free_[i] = false;
    }
  }

  // Theta stands fixed, the nodes move for the best.
  Motion beginning() const {
    Motion motion{.u = Vector(thetas_, 0.0), .left = numbers_of(problem_.blocks)};
    motion.delta_v = filter_.solve(motion.left);
    return motion;
  }

  // Theta moves along u, and the nodes follow.
  Motion along(Vector u) const {
    Vector theta = u;
    for (int i = 0; i < thetas_; ++i) theta[i] *= problem_.sizes[i];
    Motion motion{.u = std::move(u)};
    problem_.by_theta.along(theta, motion.left);
    motion.delta_v = filter_.solve(motion.left);
    return motion;
  }

  // By u, of what the best nodes leave: they are where the function is flat, so only theta's own share counts.
  Vector gradient(const Motion& motion) const {
    nlp::Blocks weights = motion.left;
    for (std::size_t c = 0; c < weights.chains.size(); ++c)
      for (std::size_t j = 0; j < weights.chains[c].links.size(); ++j)
        for (std::size_t i = 0; i < weights.chains[c].links[j].gap.size(); ++i) {
          const double size = problem_.sizes[problem_.layout.chains[c].offset[j + 1] + i];
          weights.chains[c].links[j].gap[i] *= problem_.rho / (size * size);
        }
    Vector g = problem_.by_theta.transposed(weights);
    for (int i = 0; i < thetas_; ++i) g[i] = free_[i] ? g[i] * problem_.sizes[i] + problem_.mu * motion.u[i] : 0.0;
    return g;
  }

  // A theta that stands on its bound and wants to cross it is held.
  void hold_blocked(const Vector& u, Vector& g) {
    for (int i = 0; i < thetas_; ++i)
      if (free_[i] && ((u[i] <= lower_[i] && g[i] > 0) || (u[i] >= upper_[i] && g[i] < 0))) {
        free_[i] = false;
        g[i] = 0;
      }
  }

  // Brings back what has crossed a bound, and holds it there. False if nothing has.
  bool bring_back(Motion& motion) {
    Vector back(thetas_, 0.0);
    bool any = false;
    for (int i = 0; i < thetas_; ++i) {
      if (!free_[i]) continue;
      back[i] = std::clamp(motion.u[i], lower_[i], upper_[i]) - motion.u[i];
      if (back[i] == 0) continue;
      any = true;
      free_[i] = false;
    }
    if (any) motion.go(1, along(std::move(back)));
    return any;
  }

 private:
  const PenalisedGaps& problem_;
  NodeFilter filter_;
  int thetas_;
  std::vector<bool> free_;
  Vector lower_, upper_;
};

}  // namespace

double half_squares(const nlp::Layout& layout, const nlp::Blocks& numbers, const std::vector<double>& sizes,
                    double rho) {
  double sum = dot(numbers.priors.r, numbers.priors.r);
  for (std::size_t c = 0; c < numbers.chains.size(); ++c) {
    for (const nlp::Rows& rows : numbers.chains[c].rows) sum += dot(rows.r, rows.r);
    for (std::size_t j = 0; j < numbers.chains[c].links.size(); ++j)
      for (std::size_t i = 0; i < numbers.chains[c].links[j].gap.size(); ++i) {
        const double relative = numbers.chains[c].links[j].gap[i] / sizes[layout.chains[c].offset[j + 1] + i];
        sum += rho * relative * relative;
      }
  }
  return 0.5 * sum;
}

KrylovStep krylov_step(const PenalisedGaps& problem, const nlp::Point& q, const std::vector<bool>& fixed,
                       double reduction, const RunContext& context) {
  Reduced reduced(problem, q, fixed);
  Motion motion = reduced.beginning();
  Vector g = reduced.gradient(motion);
  reduced.hold_blocked(motion.u, g);
  const double first = std::sqrt(dot(g, g));
  int products = 0;
  for (int round = 0; round < most_rounds; ++round) {
    Vector p(g.size());
    double squared = dot(g, g);
    double before = 0;
    while (std::sqrt(squared) > reduction * first && products < most_products && !context.should_stop()) {
      const double turn = before > 0 ? squared / before : 0.0;
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = turn * p[i] - g[i];
      const Motion trial = reduced.along(p);
      const Vector change = reduced.gradient(trial);
      ++products;
      const double curvature = dot(p, change);
      if (!(curvature > 0)) break;
      motion.go(squared / curvature, trial);
      add(g, squared / curvature, change);
      before = std::exchange(squared, dot(g, g));
    }
    if (!reduced.bring_back(motion)) break;
    g = reduced.gradient(motion);
  }
  KrylovStep step;
  step.delta = std::move(motion.delta_v);
  for (std::size_t i = 0; i < motion.u.size(); ++i) step.delta[i] = motion.u[i] * problem.sizes[i];
  step.predicted = half_squares(problem.layout, problem.blocks, problem.sizes, problem.rho) -
                   half_squares(problem.layout, motion.left, problem.sizes, problem.rho);
  return step;
}

std::vector<double> node_correction(const PenalisedGaps& problem, const nlp::Blocks& rows_and_gaps) {
  nlp::Blocks left = numbers_of(rows_and_gaps);
  return NodeFilter(problem.layout, problem.blocks, problem.sizes, problem.rho, problem.mu).solve(left);
}

}  // namespace salvo::solve
