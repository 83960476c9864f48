#include "estimate/answer/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimate/answer/one_trajectory.hpp"
#include "estimate/plan/method_choice.hpp"
#include "estimate/ways/trajectory.hpp"
#include "integrate/integrator.hpp"
#include "nlp/constraints.hpp"
#include "shooting/nodes.hpp"
#include "solve/certificate/resolution.hpp"
#include "solve/certificate/restricted_problem.hpp"
#include "solve/elimination/full_rank_root.hpp"
#include "solve/method/gauss_newton.hpp"

namespace salvo::estimate {
namespace {

bool is_unbroken(const shooting::ShootingProblem& shooting) {
  return std::all_of(shooting.layout().chains.begin(), shooting.layout().chains.end(),
                     [](const nlp::Layout::Chain& chain) { return chain.links() == 0; });
}

bool used_its_share(const solve::SolveResult& run) {
  return run.ended == solve::Ended::iterations || run.ended == solve::Ended::budget;
}

// Nobody has stopped it, and it came to a point.
bool ended_by_itself(const solve::SolveResult& run, const solve::GapRules& gaps) {
  return run.claims_minimum || solve::is_stalled(run, gaps) || used_its_share(run);
}

bool has_known_start(const shooting::ShootingProblem& shooting) {
  return std::any_of(shooting.grids().begin(), shooting.grids().end(), [&shooting](const shooting::Grid& grid) {
    const auto& initial = shooting.problem().experiments[grid.experiment].initial;
    return std::any_of(initial.begin(), initial.end(),
                       [](const model::Initial& value) { return !std::holds_alternative<model::Estimated>(value); });
  });
}

// What the gaps that are left change of rows at the nodes after them, if nothing grows in between. Noise as small as
// gaps makes another objective of the same trajectory.
double gaps_in_sigmas(const nlp::Blocks& blocks) {
  double sum = 0;
  for (const nlp::ChainBlocks& chain : blocks.chains)
    for (std::size_t j = 0; j < chain.links.size(); ++j) {
      const std::vector<double>& gap = chain.links[j].gap;
      const nlp::Rows& rows = chain.rows[j + 1];
      double most = 0;
      for (int k = 0; k < static_cast<int>(rows.r.size()); ++k) {
        double change = 0;
        for (std::size_t i = 0; i < gap.size(); ++i) change += rows.by_block(k, static_cast<int>(i)) * gap[i];
        most = std::max(most, std::abs(change));
      }
      sum += most;
    }
  return sum;
}

class Proof {
 public:
  Proof(Setup& setup, Answer& answer, const RunContext& context)
      : setup_(setup), answer_(answer), run_(answer.run), rules_(setup.rules().answer), context_(context) {}

  void run() {
    set_gaps();
    answer_.standing = standing_by_itself();
    answer_.trouble = run_.trouble;
    if (!can_be_proved()) return;
    if (!can_be_dense(setup_.problem(), setup_.workspace->model(), setup_.rules().account))
      return refuse("there are too many parameters, for so few data, to prove that this is a minimum");
    const bool unbroken = is_unbroken(*setup_.shooting);
    // The paper's method ends with gaps that others would not leave; the unbroken trajectory tells what they hide.
    const double most = setup_.laid.method == model::Method::scalar ? gaps().joined : gaps().closed;
    if (!unbroken && run_.gap > most) return;
    if (!unbroken && gaps_in_sigmas(run_.linearized) <= certificate_rules().gain && nodes_prove()) return;
    nlp::Point q = run_.q;
    std::unique_ptr<shooting::ShootingProblem> single;
    if (!unbroken) {
      OneTrajectory one = on_one_trajectory(*setup_.shooting, run_, gaps().joined);
      if (one.has_same_objective && nodes_prove()) return;
      if (setup_.shooting->is_stopped()) return give_up();
      if (!one.is_same) return prove_by_nodes_alone();
      q = std::move(one.q);
      single = std::move(one.shooting);
    }
    if (setup_.shooting->is_stopped()) return give_up();
    // Nodes end with corners that are still rounded.
    if (single && has_corner(setup_.problem()) && !has_constraints_at_nodes()) {
      go_on_along(std::move(single));
      go_on(nlp::Point(q), q);
    }
    certify_and_go_on(std::move(single), unbroken, q);
  }

 private:
  const solve::GapRules& gaps() const { return setup_.solve.rules.gaps; }
  const solve::CertificateRules& certificate_rules() const { return setup_.solve.rules.certificate; }
  double accuracy() const { return integrate::relative_tolerance(setup_.shooting->options().integrator); }
  // Solvers that know nothing of unbroken trajectories, or of what holds at nodes, answer for themselves.
  Standing standing_by_itself() const {
    if (run_.trace.empty()) return Standing::unknown;
    if (run_.claims_minimum) return Standing::minimum;
    return run_.gap <= gaps().closed ? Standing::no_minimum : Standing::torn;
  }
  bool can_be_proved() const {
    return ended_by_itself(run_, gaps()) && !run_.trace.empty() && setup_.problem().networks.empty() &&
           !run_.best_iteration && constraints_can_be_seen();
  }
  bool is_constrained() const { return !setup_.problem().constraints.empty(); }
  // A constraint of states holds at nodes, and one trajectory has none: it can be seen that such a one is not met, but
  // not what it leaves if it is.
  bool constraints_can_be_seen() const {
    if (!is_constrained()) return true;
    if (!has_constraints_at_nodes()) return run_.violation <= gaps().joined;
    nlp::Blocks blocks;
    return setup_.shooting->values(run_.q, run_.request, blocks).ok && are_not_met(*setup_.shooting, run_.q, blocks);
  }
  bool has_constraints_at_nodes() const {
    const auto& all = setup_.workspace->model().constraints;
    return std::any_of(all.begin(), all.end(), [](const compile::ConstraintKernel& each) { return each.at_nodes; });
  }
  bool are_not_met(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Blocks& blocks) const {
    const std::vector<double> sizes = nlp::constraint_sizes(shooting.layout(), blocks, shooting.sizes(q));
    bool any = false;
    std::size_t row = 0;
    nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
      for (std::size_t i = 0; i < constraints.c.size(); ++i, ++row)
        any = any || constraints.equality[i] || constraints.c[i] >= -gaps().joined * sizes[row];
    });
    return !any;
  }
  // What nodes say of a point of one trajectory, if constraints hold at them.
  solve::IsAllowed allowed_at_nodes(const shooting::ShootingProblem& single) const {
    if (!has_constraints_at_nodes()) return {};
    return [this, &single](const nlp::Point& q) {
      nlp::Blocks blocks;
      const nlp::Point on_nodes = shooting::carried_over(single, q, *setup_.shooting);
      return setup_.shooting->values(on_nodes, run_.request, blocks).ok && blocks.violation <= gaps().closed;
    };
  }

  void set_gaps() {
    answer_.certificate.gap = run_.gap;
    answer_.certificate.constraint_violation = run_.violation;
  }
  void hold(Standing standing) {
    answer_.standing = standing;
    answer_.trouble.clear();
  }
  void refuse(std::string missing) {
    answer_.certificate.missing = missing;
    answer_.standing = Standing::no_minimum;
    answer_.trouble = std::move(missing);
  }
  // What could not be looked at proves nothing.
  void give_up() { refuse("the run was told to stop before the answer was proved"); }

  // Joined nodes, if every experiment has some, prove themselves where errors hardly grow between them and the rows see
  // every quantity: then one trajectory is the same to rounding, and there is no direction to probe.
  bool nodes_prove() {
    const shooting::ShootingProblem& shooting = *setup_.shooting;
    if (is_constrained()) return false;
    if (!run_.claims_minimum || run_.linearized.chains.empty()) return false;
    if (!(run_.promised <= certificate_rules().gain) || has_corner(setup_.problem())) return false;
    const auto& chains = shooting.layout().chains;
    if (std::any_of(chains.begin(), chains.end(), [](const auto& chain) { return chain.links() == 0; })) return false;
    const std::vector<double> sizes = shooting.sizes(run_.q);
    auto root = solve::full_rank_root(shooting.layout(), run_.linearized, sizes, certificate_rules().unseen);
    if (!root || !sees_every_theta(*root, sizes)) return false;
    answer_.certificate.gain = std::max(run_.promised, 0.0);
    answer_.certificate.resolution = solve::rounding_of_sum(run_.objective);
    answer_.certificate.rank = root->rows;
    answer_.root = std::move(root);
    hold(Standing::minimum);
    return true;
  }

  // The root stretches every theta to the same effect. One that hardly has any within a whole unit is not seen, and
  // stands on a plateau perhaps: its standard error, by the root, is that many units.
  bool sees_every_theta(const Matrix& root, const std::vector<double>& sizes) const {
    const nlp::Layout& layout = setup_.shooting->layout();
    for (int i = 0; i < layout.thetas; ++i) {
      const double unit = layout.decade[i] > 0 ? layout.decade[i] : sizes[i];
      double squares = 0;
      for (int k = 0; k < root.cols; ++k) squares += root(i, k) * root(i, k);
      if (!(std::sqrt(squares) * sizes[i] * certificate_rules().hessian.difference_of_rows < unit)) return false;
    }
    return true;
  }

  // Errors grow so much along one trajectory that it is another one. Nodes that are free to begin anywhere are what is
  // known; but one that begins at a known value must be the one that the equations give.
  void prove_by_nodes_alone() {
    answer_.certificate.gain = run_.promised;
    answer_.certificate.is_of_nodes = true;
    if (!run_.claims_minimum) return;
    if (has_known_start(*setup_.shooting))
      refuse(
          "integrated from the known initial values, the trajectory departs from the nodes: integration errors grow "
          "too much along it");
    else
      hold(Standing::minimum_on_nodes);
  }

  void certify_and_go_on(std::unique_ptr<shooting::ShootingProblem> single, bool unbroken, nlp::Point& q) {
    for (int n = 0; n <= rules_.continued_proofs; ++n) {
      const shooting::ShootingProblem& problem = single ? *single : *setup_.shooting;
      nlp::Point lower;
      nlp::Request request = run_.request;
      if (has_corner(setup_.problem())) request.smoothing = setup_.rules().smoothing.last;
      answer_.certificate = is_constrained()
                                ? solve::certify_restricted(problem, q, request, accuracy(), setup_.solve.rules,
                                                            allowed_at_nodes(problem), context_, lower)
                                : solve::certify(problem, q, request, accuracy(), setup_.solve.rules, context_, lower);
      set_gaps();
      if (problem.is_stopped()) return give_up();
      if (unbroken && answer_.certificate.holds()) {
        doubt_what_still_falls();
        if (!answer_.certificate.holds()) lower = q;
      }
      if (answer_.certificate.holds()) return hold(Standing::minimum);
      refuse(answer_.certificate.missing);
      if (n == rules_.continued_proofs || is_spent() || context_.should_stop() || context_.is_spent()) return;
      if (lower.empty() && (unbroken || n > 0)) return;  // it has descended from here already
      if (has_constraints_at_nodes()) {                  // which one trajectory would leave
        if (lower.empty() || !go_on_on_nodes(lower, single, q)) return;
        continue;
      }
      if (single) go_on_along(std::move(single));
      go_on(lower.empty() ? nlp::Point(q) : lower, q);
      if (!ended_by_itself(run_, gaps())) return;
    }
  }

  // A descent that ended for its iterations alone while the objective fell as steadily as before has found no minimum,
  // whatever one more step would gain.
  void doubt_what_still_falls() {
    const auto lately = static_cast<std::size_t>(setup_.solve.rules.descent.patience);
    const std::vector<solve::Iteration>& trace = run_.trace;
    if (run_.claims_minimum || !used_its_share(run_) || trace.size() <= lately) return;
    const auto objective = [&](std::size_t ago) { return trace[trace.size() - 1 - ago].objective; };
    const double last = objective(1) - objective(0);
    const double all = objective(lately) - objective(0);
    const double mean = all / static_cast<double>(lately);
    const bool is_steady = last > certificate_rules().gain && last > mean / static_cast<double>(lately);
    if (!is_steady || !(all > answer_.certificate.resolution.value_or(0))) return;
    answer_.certificate.gain = std::max(answer_.certificate.gain.value_or(0), last);
    answer_.certificate.missing = fmt::format("the objective still falls by {:.2g} in each iteration", mean);
  }

  // All iterations are used up, and no few more would do.
  bool is_spent() const {
    return !run_.claims_minimum && used_its_share(run_) &&
           (setup_.workspace->options().max_iterations || answer_.certificate.gain.value_or(0) > rules_.nearly_proved);
  }

  // With one interval per experiment from now on.
  void go_on_along(std::unique_ptr<shooting::ShootingProblem> single) {
    setup_.shooting = std::move(single);
    setup_.grids_seen.push_back(setup_.shooting->grids());
  }
  void go_on(const nlp::Point& from, nlp::Point& q) {
    solve::SolveResult next = is_constrained() ? go_on_within(from) : descend_from(from);
    if (next.trace.empty()) return;
    next.film.set_grid(static_cast<int>(setup_.grids_seen.size()) - 1);
    append(run_, std::move(next));
    q = run_.q;
  }

  // From a lower point of one trajectory, with all nodes; false: nothing was reached that could be proved.
  bool go_on_on_nodes(const nlp::Point& lower, std::unique_ptr<shooting::ShootingProblem>& single, nlp::Point& q) {
    const nlp::Point from = shooting::carried_over(*single, lower, *setup_.shooting);
    solve::SolveResult next = run_on_nodes(from);
    if (next.trace.empty()) return false;
    next.film.set_grid(static_cast<int>(setup_.grids_seen.size()) - 1);
    append(run_, std::move(next));
    if (!ended_by_itself(run_, gaps()) || run_.gap > gaps().closed || !constraints_can_be_seen()) return false;
    OneTrajectory one = on_one_trajectory(*setup_.shooting, run_, gaps().joined);
    if (!one.is_same) return false;
    q = std::move(one.q);
    single = std::move(one.shooting);
    return true;
  }

  solve::SolveResult descend_from(const nlp::Point& from) const {
    return descend_precisely(setup_, from, context_,
                             {.stiff = run_.request.stiff, .is_refused = !answer_.certificate.holds()});
  }
  // A descent knows nothing of constraints: it is believed if it ends where none of them is met.
  solve::SolveResult go_on_within(const nlp::Point& from) const {
    const shooting::ShootingProblem& shooting = *setup_.shooting;
    nlp::Blocks blocks;
    if (shooting.values(from, run_.request, blocks).ok && are_not_met(shooting, from, blocks)) {
      solve::SolveResult next = descend_from(from);
      if (!next.trace.empty() && shooting.values(next.q, next.request, blocks).ok &&
          are_not_met(shooting, next.q, blocks))
        return next;
    }
    return run_on_nodes(from);
  }
  solve::SolveResult run_on_nodes(const nlp::Point& from) const {
    solve::SolveOptions options = setup_.solve;
    options.request = run_.request;
    options.request.accuracy = 0;
    return solve::gauss_newton(*setup_.shooting, from, options, context_);
  }

  Setup& setup_;
  Answer& answer_;
  solve::SolveResult& run_;
  const AnswerRules& rules_;
  const RunContext& context_;
};

}  // namespace

void prove(Setup& setup, Answer& answer, const RunContext& context) { Proof(setup, answer, context).run(); }

}  // namespace salvo::estimate
