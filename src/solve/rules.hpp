#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// Every number that shapes results in this room: what it means, its unit, what happens when it is larger or smaller,
// and how it was found (docs/decisions/tuned-numbers.md has the campaigns). `each` calls visit(name, number) for all
// numbers of a struct, and visit(name, struct) for the structs in it, so that a campaign can walk them.
namespace salvo::solve {

// When a model is believed. The numbers are those of every textbook ([ConnGouldToint00] 6.1), and no campaign has moved
// them.
struct TrustRules {
  // Gain of a step (its fall over the predicted one) below which the model was poor, and the factor by which radii and
  // corrections must then shrink. Larger: more full steps stand, and more of them lead in circles.
  double contraction = 0.25;
  // Gain above which the model was good: steps may become longer. Larger: they do so more rarely.
  double good = 0.75;
  // Gain for which a step stands. Larger: more evaluations for every step; at 0 a run may creep without end.
  double acceptable = 1e-4;
  // Scaled length below which a step is none. Larger: runs end earlier where nothing leads on.
  double shortest_step = 1e-12;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("contraction", self.contraction);
    visit("good", self.good);
    visit("acceptable", self.acceptable);
    visit("shortest_step", self.shortest_step);
  }
};

// Levenberg and Marquardt's damping mu, in units of squared rows per squared scaled step.
struct DampingRules {
  // At the beginning. Smaller: the first damped steps are longer, and more of them are refused; 1e-3 and 0.1 found the
  // same answers (rules_campaign).
  double first = 0.1;
  // Least of all. Larger: the last steps are shortened; smaller: singular models lose their damping to rounding.
  double least = 1e-8;
  // Factor after a good gain; after a poor one mu grows as radii shrink. Smaller: longer steps sooner.
  double less = 0.2;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("first", self.first);
    visit("least", self.least);
    visit("less", self.less);
  }
};

// The penalty rho on gaps in steps that do not close them.
struct PenaltyRules {
  // At the beginning: a relative gap of one costs as much as a residual of one sigma. Larger: nodes leave the data
  // sooner, and answers are missed where states are hidden (rules_campaign).
  double first = 1;
  // Factor by which it grows. Smaller: a third more iterations on Lorenz' equations for few more successes.
  double growth = 10;
  // Part of the sum of squares below which progress is little, so that the penalty grows. Larger: it grows sooner, and
  // of 150 fits with hidden states 10 fewer succeed (0.1); smaller: more iterations (0.01).
  double little_progress = 0.03;
  // Highest: gaps do not open, while the elimination still sees the rows beside them. Smaller: damped steps along
  // joined trajectories tear them; larger: rounding hides the rows.
  double highest = 1e10;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("first", self.first);
    visit("growth", self.growth);
    visit("little_progress", self.little_progress);
    visit("highest", self.highest);
  }
};

// What gaps say, relative to the sizes of states.
struct GapRules {
  // Up to it trajectories are joined at the end of a run. Larger: standard errors of torn trajectories; smaller:
  // rounding keeps runs from ending.
  double closed = 1e-8;
  // Above it trajectories are not joined, and nodes and one trajectory differ by more than rounding. Larger: torn
  // answers are called joined; smaller: the paper's method never ends.
  double joined = 1e-6;
  // Up to it objectives can be compared and noise be estimated, and a scaled step has died down. Larger: the objective
  // of torn trajectories is believed.
  double comparable = 1e-4;
  // Up to it moderate steps hardly change the flow any more. Larger: searches end too early.
  double nearly_joined = 1e-2;
  // Part by which the gap must fall below that of a point the run has passed, unless the objective does. Larger: more
  // full steps are refused.
  double filter_margin = 0.01;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("closed", self.closed);
    visit("joined", self.joined);
    visit("comparable", self.comparable);
    visit("nearly_joined", self.nearly_joined);
    visit("filter_margin", self.filter_margin);
  }
};

// Gauss-Newton on nodes; found on predator-prey campaigns (bench/success_rates_campaign.cpp,
// docs/decisions/globalisation.md). Steps are measured in sizes of the unknowns.
struct GaussNewtonRules {
  // Longest full step. Larger: where flows are unstable, errors that contract are followed, and the notorious problem
  // with mu = 60 is lost; smaller: penalty steps where full ones would do.
  double longest_full_step = 10;
  // Shortest part of a full step along joined trajectories. Smaller: it only creeps; at 1 a saturation that was reached
  // before the first datum ends on its far plateau.
  double shortest_part = 0.125;
  // Step of nearly joined trajectories from which on fewer nodes will do. Larger: nodes are merged too early.
  double moderate_step = 0.3;
  // Along it matrices hardly change: the search ends, frozen steps begin, ranks are not asked beyond it, and estimated
  // noise has settled. Larger: frozen steps do not contract.
  double short_step = 1e-3;
  // Relative tolerance of trajectories until they are joined, and step that such rough ones cannot tell from none.
  // Smaller: slower, no better.
  double rough = 1e-5;
  // Singular value, of the largest, of a direction that is not moved along; open gaps raise it to as much as they
  // disturb the matrices. Larger: what is hardly identifiable stays at its guess; smaller: steps follow rounding.
  double singular = 1e-9;
  // Iterations for which torn ends, linearised constraints that contradict each other, or validation data that are
  // predicted no better are waited out. Larger: later ends; smaller: constraints that hold further on are given up.
  int patience = 10;
  // Iterations with a negligible gain in sight (`CertificateRules::lower`) that does not shrink by a quarter, after
  // which joined trajectories wander on flat ground; and those in which the gap of the paper's method should fall by
  // half. Larger: later ends.
  int most_idle = 25;
  // Columns of a linearisation from which on gradients cost several times less (bench/lorenz96_bench.cpp).
  int many_columns = 20;
  // Frozen phases of a run: where steps do not contract, others do not either.
  int most_frozen_phases = 3;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("longest_full_step", self.longest_full_step);
    visit("shortest_part", self.shortest_part);
    visit("moderate_step", self.moderate_step);
    visit("short_step", self.short_step);
    visit("rough", self.rough);
    visit("singular", self.singular);
    visit("patience", self.patience);
    visit("most_idle", self.most_idle);
    visit("many_columns", self.many_columns);
    visit("most_frozen_phases", self.most_frozen_phases);
  }
};

struct LagrangianRules {
  // Steps in a row that bring little progress, after which multipliers and penalty are brought up to date. Larger: more
  // steps for nothing; at 1 a single bad step raises the penalty.
  int little_steps = 2;
  // Part of the gradient by theta at which conjugate gradients stop far away (its cube where trajectories are joined),
  // and of the gap, above which the penalty must grow. Smaller: more products in each step.
  double reduction = 0.1;
  // Its iterations for one of Gauss-Newton, where the cheaper method is chosen: 21 for 10 on predator and prey. Larger:
  // it is chosen for more parameters only.
  double iterations = 2;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("little_steps", self.little_steps);
    visit("reduction", self.reduction);
    visit("iterations", self.iterations);
  }
};

// The paper's method.
struct ScalarRules {
  // Powell's damping of BFGS: part of the curvature that an update keeps ([NW06] 18.3). Larger: curvature that is lost
  // is forgotten more slowly; no campaign has moved it.
  double powell = 0.2;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("powell", self.powell);
  }
};

// A Hessian by differences of gradients (docs/mathematics.md, eq. 52).
struct HessianRules {
  // Between two points, in units, and the shortest distance of a probe. Larger: third derivatives; smaller: what an
  // objective curves by is lost in errors of the integration.
  double difference = 1e-4;
  // Change of the rows, in sigmas, that is as good as none: a difference changes them by no more, and a direction along
  // whose unit they change by no more is not seen.
  double difference_of_rows = 1e-2;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("difference", self.difference);
    visit("difference_of_rows", self.difference_of_rows);
  }
};

// Steps along joined trajectories, measured in decades where scales are logarithmic, in sizes elsewhere
// (docs/decisions/single-trajectories.md).
struct DescentRules {
  // Radius at the beginning. Larger: more refused first steps from far away.
  double first_radius = 1;
  // Longest radius, of certificates too. Larger: what is hardly identifiable is sent further than four decades.
  double longest_radius = 4;
  // Changes of an objective, relative to it, that are errors of integration and rounding. Larger: descents end earlier;
  // smaller: they follow noise.
  double noise = 1e-10;
  // Gain in log-likelihood promised by a step that is not worth taking at full accuracy. Larger: earlier ends.
  double enough = 1e-12;
  // Bent steps for a straight one that gained less than a good one. At 0 a narrow valley takes more than twice the
  // steps.
  int most_bends = 4;
  // Iterations after which the Hessian is computed (0: never), and over which a descent must have died down to be at
  // its end. Smaller: more gradients; larger: creeping descents last.
  int patience = 10;
  // Steps below the noise in one descent. Larger: they are followed for longer.
  int most_unresolved = 6;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("first_radius", self.first_radius);
    visit("longest_radius", self.longest_radius);
    visit("noise", self.noise);
    visit("enough", self.enough);
    visit("most_bends", self.most_bends);
    visit("patience", self.patience);
    visit("most_unresolved", self.most_unresolved);
  }
};

// Early stopping by validation data.
struct EarlyStoppingRules {
  // Improvement of a score that counts: in a log-likelihood, less is noise. Larger: earlier stops.
  double improvement = 0.5;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("improvement", self.improvement);
  }
};

// What a proof of a minimum asks for (docs/mathematics.md, section 18, docs/decisions/certificate.md).
struct CertificateRules {
  // Gain of a further step, in log-likelihood, that is none: a thousandth of a standard error. Larger: slopes are
  // called minima; smaller: the integration decides.
  double gain = 1e-6;
  // Fall, in log-likelihood, by which a probe must lie lower to be believed, and gain of a step that is negligible on
  // flat ground: a hundredth of a standard error. Smaller: noise is followed.
  double lower = 1e-4;
  // Shortest radius within which steps are tried. Larger: narrow valleys that bend are called minima.
  double shortest_radius = 1e-7;
  // Shortest part of a step that is tried beside a jump. Larger: what falls beside the jump is missed.
  double shortest_part = 1e-3;
  // Steps of some unknowns, where those of all of them meet a jump. Larger: dearer proofs.
  int most_partial_steps = 20;
  // Power iterations for the contraction, and multiples of the least perturbation. Larger: dearer proofs.
  int repetitions = 4;
  // Rise over one standard error, of what the information says, below which it is. Larger: more warnings.
  double flat = 0.1;
  // Singular value, of the largest, of a direction that the rows do not see and that is probed; its inverse is the
  // longest multiple of a step towards a corner. Larger: more probes.
  double unseen = 1e-6;
  // Times the tolerance of trajectories: what the error of integration is measured against. Smaller: rounding is taken
  // for it.
  double coarser = 10;
  // Error of a log-likelihood that leaves nothing to be known. Larger: noise is proved to be a minimum.
  double unresolved = 0.1;
  // Unknowns beyond which no spectrum is made where full rank is certain, and no Hessian. Larger: dearer proofs.
  std::size_t few_unknowns = 100;
  // Signs of the sums of unseen directions that are probed as well, and longest distances at which these are.
  int signs = 3;
  // Factor from one distance of a probe to the next. Larger: fewer looks, and what is lower between them is missed.
  double probe_factor = std::sqrt(10.0);
  HessianRules hessian{};

  // Distances of probes, up to one unit, beyond which a direction is another matter.
  std::vector<double> distances() const {
    std::vector<double> out;
    for (double far = hessian.difference; far < std::sqrt(probe_factor);
         far = hessian.difference * std::pow(probe_factor, static_cast<double>(out.size())))
      out.push_back(far);
    return out;
  }
  // The longest of them, for directions that the rows do not see.
  std::vector<double> longest_distances() const {
    const std::vector<double> all = distances();
    return {all.end() - std::min<std::ptrdiff_t>(signs, std::ssize(all)), all.end()};
  }

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("gain", self.gain);
    visit("lower", self.lower);
    visit("shortest_radius", self.shortest_radius);
    visit("shortest_part", self.shortest_part);
    visit("most_partial_steps", self.most_partial_steps);
    visit("repetitions", self.repetitions);
    visit("flat", self.flat);
    visit("unseen", self.unseen);
    visit("coarser", self.coarser);
    visit("unresolved", self.unresolved);
    visit("few_unknowns", self.few_unknowns);
    visit("signs", self.signs);
    visit("probe_factor", self.probe_factor);
    visit("hessian", self.hessian);
  }
};

struct Rules {
  TrustRules trust{};
  DampingRules damping{};
  PenaltyRules penalty{};
  GapRules gaps{};
  GaussNewtonRules gauss_newton{};
  LagrangianRules lagrangian{};
  ScalarRules scalar{};
  DescentRules descent{};
  EarlyStoppingRules early_stopping{};
  CertificateRules certificate{};

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("trust", self.trust);
    visit("damping", self.damping);
    visit("penalty", self.penalty);
    visit("gaps", self.gaps);
    visit("gauss_newton", self.gauss_newton);
    visit("lagrangian", self.lagrangian);
    visit("scalar", self.scalar);
    visit("descent", self.descent);
    visit("early_stopping", self.early_stopping);
    visit("certificate", self.certificate);
  }
};

}  // namespace salvo::solve
