#include "fit/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fit/descents.hpp"
#include "fit/one_trajectory.hpp"
#include "integrate/integrator.hpp"
#include "shooting/nodes.hpp"
#include "solve/elimination/plain_root.hpp"

namespace salvo::fit {
namespace {

constexpr int most_continued_proofs = 5;
// Gain of a further step, in log-likelihood, that more iterations may well finish.
constexpr double nearly_proved = 0.1;

bool is_unbroken(const shooting::ShootingProblem& shooting) {
  return std::all_of(shooting.layout().chains.begin(), shooting.layout().chains.end(),
                     [](const nlp::Layout::Chain& chain) { return chain.links() == 0; });
}

bool used_its_share(const solve::SolveResult& result) {
  return result.ended == solve::Ended::iterations || result.ended == solve::Ended::budget;
}

bool ended_by_itself(const Solved& solved) {
  return solved.result.claims_minimum || solve::is_stalled(solved.result) || used_its_share(solved.result);
}

// Solvers that know nothing of unbroken trajectories, or of what holds at nodes, answer for themselves.
bool can_be_proved(const Solved& solved) {
  const Setup& setup = solved.setup;
  return ended_by_itself(solved) && !solved.result.trace.empty() && setup.problem->constraints.empty() &&
         setup.problem->networks.empty() && !solved.result.best_iteration;
}

// The gaps of the certificate, where there are nodes.
void set_gaps(Solved& solved) {
  solved.certificate.gap = solved.result.gap;
  solved.certificate.constraint_violation = solved.result.violation;
}

bool has_known_start(const shooting::ShootingProblem& shooting) {
  return std::any_of(shooting.grids().begin(), shooting.grids().end(), [&shooting](const shooting::Grid& grid) {
    const auto& initial = shooting.problem().experiments[grid.experiment].initial;
    return std::any_of(initial.begin(), initial.end(),
                       [](const model::Initial& value) { return !std::holds_alternative<model::Estimated>(value); });
  });
}

// Goes on with one interval per experiment.
void go_on_with(Solved& solved, std::unique_ptr<shooting::ShootingProblem> single) {
  Setup& setup = solved.setup;
  setup.work_before += setup.shooting->work();
  if (!setup.before) setup.before = std::move(setup.shooting);
  setup.shooting = std::move(single);
  setup.grids_seen.push_back(setup.shooting->grids());
}

void go_on(Solved& solved, const nlp::Point& from, nlp::Point& q, const RunContext& context) {
  solve::SolveResult next = descend_precisely(
      solved.setup, from, context, {.stiff = solved.result.request.stiff, .is_refused = !solved.certificate.holds()});
  if (next.trace.empty()) return;
  next.film.set_grid(static_cast<int>(solved.setup.grids_seen.size()) - 1);
  append(solved.result, std::move(next));
  q = solved.result.q;
}

// Nodes end with corners that are still rounded.
void sharpen(Solved& solved, nlp::Point& q, std::unique_ptr<shooting::ShootingProblem>& single,
             const RunContext& context) {
  go_on_with(solved, std::move(single));
  go_on(solved, nlp::Point(q), q, context);
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

// Joined nodes, if every experiment has some, prove themselves where errors hardly grow between them and the rows see
// every quantity: then one trajectory is the same to rounding, and there is no direction to probe.
bool nodes_prove(Solved& solved) {
  const solve::SolveResult& result = solved.result;
  const shooting::ShootingProblem& shooting = *solved.setup.shooting;
  if (!result.claims_minimum || result.linearized.chains.empty()) return false;
  const solve::CertificateRules rules;
  if (!(result.promised <= rules.gain) || has_corner(*solved.setup.problem)) return false;
  const auto& chains = shooting.layout().chains;
  if (std::any_of(chains.begin(), chains.end(), [](const auto& chain) { return chain.links() == 0; })) return false;
  const auto root = solve::plain_root(shooting.layout(), result.linearized, shooting.sizes(result.q), rules.unseen);
  if (!root) return false;
  solved.certificate.gain = std::max(result.promised, 0.0);
  solved.certificate.resolution = rules.rounding * (1 + std::abs(result.objective));
  solved.certificate.rank = root->rows;
  return true;
}

void refuse(Solved& solved, std::string missing) {
  solved.certificate.missing = std::move(missing);
  solved.result.claims_minimum = false;
  solved.result.trouble = solved.certificate.missing;
}

// Errors grow so much along one trajectory that it is another one. Nodes that are free to begin anywhere are what is
// known; but one that begins at a known value must be the one that the equations give.
void prove_by_nodes_alone(Solved& solved) {
  solved.certificate.gain = solved.result.promised;
  solved.certificate.is_of_nodes = true;
  if (solved.result.claims_minimum && has_known_start(*solved.setup.shooting))
    refuse(
        solved,
        "integrated from the known initial values, the trajectory departs from the nodes: integration errors grow too "
        "much along it");
}

// A descent that ended for its iterations alone while the objective fell as steadily as before has found no minimum,
// whatever one more step would gain.
void doubt_what_still_falls(Solved& solved, const solve::CertificateRules& rules) {
  constexpr std::size_t lately = 10;  // iterations
  constexpr double steady = 0.1;      // fall of the last one, of their mean
  const std::vector<solve::Iteration>& trace = solved.result.trace;
  if (solved.result.claims_minimum || !used_its_share(solved.result) || trace.size() <= lately) return;
  const auto objective = [&](std::size_t ago) { return trace[trace.size() - 1 - ago].objective; };
  const double last = objective(1) - objective(0);
  const double all = objective(lately) - objective(0);
  const bool is_steady = last > rules.gain && last > steady * all / lately;
  if (!is_steady || !(all > solved.certificate.resolution)) return;
  solved.certificate.gain = std::max(solved.certificate.gain, last);
  solved.certificate.missing = fmt::format("the objective still falls by {:.2g} in each iteration", all / lately);
}

// All iterations are used up, and no few more would do.
bool is_spent(const Solved& solved) {
  return !solved.result.claims_minimum && used_its_share(solved.result) &&
         (solved.setup.iterations_are_stated || solved.certificate.gain > nearly_proved);
}

// What could not be looked at proves nothing.
void give_up(Solved& solved) { refuse(solved, "the run was told to stop before the answer was proved"); }

}  // namespace

void prove(Solved& solved, const RunContext& context) {
  set_gaps(solved);
  if (!can_be_proved(solved)) return;
  nlp::Point q = solved.result.q;
  std::unique_ptr<shooting::ShootingProblem> single;
  const bool unbroken = is_unbroken(*solved.setup.shooting);
  // The paper's method ends with gaps that others would not leave; the unbroken trajectory tells what they hide.
  const double most =
      solved.setup.method == model::Method::scalar ? solve::joined_gap : solved.setup.solve.gap_tolerance;
  if (!unbroken && solved.result.gap > most) return;
  if (!unbroken && gaps_in_sigmas(solved.result.linearized) <= solve::CertificateRules{}.gain && nodes_prove(solved))
    return;
  bool is_same = true;
  if (!unbroken) {
    OneTrajectory one = on_one_trajectory(*solved.setup.problem, *solved.setup.shooting, solved.result);
    is_same = one.is_same;
    if (one.has_same_objective && nodes_prove(solved)) return;
    q = std::move(one.q);
    single = std::move(one.shooting);
  }
  if (solved.setup.shooting->is_stopped()) return give_up(solved);
  if (!is_same) return prove_by_nodes_alone(solved);
  solve::CertificateRules rules;
  rules.accuracy = integrate::relative_tolerance(solved.setup.shooting->options().integrator);
  if (single && has_corner(*solved.setup.problem)) sharpen(solved, q, single, context);
  for (int n = 0; n <= most_continued_proofs; ++n) {
    const shooting::ShootingProblem& problem = single ? *single : *solved.setup.shooting;
    nlp::Point lower;
    nlp::Request request = solved.result.request;
    if (has_corner(*solved.setup.problem)) request.smoothing = last_smoothing;  // a rounder corner proves nothing
    solved.certificate = solve::certify(problem, q, request, rules, context, lower);
    set_gaps(solved);
    if (problem.is_stopped()) return give_up(solved);
    if (unbroken && solved.certificate.holds()) {
      doubt_what_still_falls(solved, rules);
      if (!solved.certificate.holds()) lower = q;
    }
    if (solved.certificate.holds()) {
      solved.result.claims_minimum = true;
      return;
    }
    if (n == most_continued_proofs || is_spent(solved) || context.should_stop()) break;
    if (lower.empty() && (unbroken || n > 0)) break;  // it has descended from here already
    if (single) go_on_with(solved, std::move(single));
    go_on(solved, lower.empty() ? nlp::Point(q) : lower, q, context);
    if (!ended_by_itself(solved)) return;
  }
  solved.result.claims_minimum = false;
  solved.result.trouble = solved.certificate.missing;
}

}  // namespace salvo::fit
