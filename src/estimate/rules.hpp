#pragma once

#include "shooting/rules.hpp"
#include "solve/rules.hpp"
#include "start/rules.hpp"

// Every number that shapes what an estimate does, each with what it means, its unit, and what more or less of it does.
// How they were found, and what campaigns say of each: docs/decisions/tuned-numbers.md.
namespace salvo::estimate {

// What a fit may spend, and when it is allowed to think that it is done.
struct AccountRules {
  double operations = 1e10;  // of one fit. More: hard problems are followed for longer, and hopeless ones too
  double evaluations = 200;  // of all data, that the account pays for however long they are; less: long data are cut
  double first_way = 0.5;    // mark up to which the first of several ways may go; more: less is left for the others
  double look = 0.03;        // share of a search, a population or a look for mirror images
  double settled = 0.1;      // of its share, for a way that looks further where there is an answer already
  int iterations = 200;      // of one run of a solver, unless the user says; less: slow descents end before their time
  int scalar_iterations = 500;  // those of the paper's method, which takes more and cheaper ones

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("operations", self.operations);
    visit("evaluations", self.evaluations);
    visit("first_way", self.first_way);
    visit("look", self.look);
    visit("settled", self.settled);
    visit("iterations", self.iterations);
    visit("scalar_iterations", self.scalar_iterations);
  }
};

// Nodes that the flow itself chooses (docs/decisions/nodes.md).
struct NodeRules {
  int shown = 4;                 // measurements of one state alone show it; fewer: nodes are laid on too little
  int refinements = 6;           // of a start; more: chaotic flows are cut shorter before anything is tried
  int least_intervals = 20;      // that a start is merged down to: it has not yet shown how its flow will be
  double cheap_iteration = 1e7;  // multiply-adds below which a change of nodes costs nothing worth counting
  double worth_a_change = 0.8;   // work of an iteration after a merger, of that before; more: merged for little
  int changes = 10;              // of nodes within a run; more: a run that fails is cut again and again
  double rough = 1e-5;           // relative tolerance until trajectories are joined; tighter: slower, no better

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("shown", self.shown);
    visit("refinements", self.refinements);
    visit("least_intervals", self.least_intervals);
    visit("cheap_iteration", self.cheap_iteration);
    visit("worth_a_change", self.worth_a_change);
    visit("changes", self.changes);
    visit("rough", self.rough);
  }
};

// Laws with a corner: |u| is rounded to sqrt(u^2 + eps^2), and each eps starts where the one before ended.
struct SmoothingRules {
  double factor = 0.1;          // from one eps to the next; more: more runs, each shorter
  double last_on_nodes = 1e-5;  // what nodes end with; unbroken trajectories sharpen it further
  double last = 1e-8;           // a rounder corner proves nothing

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("factor", self.factor);
    visit("last_on_nodes", self.last_on_nodes);
    visit("last", self.last);
  }
};

// Points that are looked at by the hundred: roughly, and not for long.
struct RoughRules {
  double accuracy = 1e-3;  // relative tolerance of their trajectories; tighter: fewer points for the same work
  int steps = 1000;        // of one trajectory; more: points whose flow is stiff by mistake cost the most
  double same = 0.3;       // difference of log-likelihoods that such accuracy does not tell apart

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("accuracy", self.accuracy);
    visit("steps", self.steps);
    visit("same", self.same);
  }
};

// A search along unbroken trajectories (docs/decisions/single-trajectories.md).
struct SearchRules {
  int screened = 30;           // points looked at before a descent begins at the best of them
  int descents = 18;           // at most
  int agreeing = 5;            // descents that found the best: it is believed, ...
  double cheap = 1e7;          // ... unless no more operations than these were spent
  int ratio_iterations = 40;   // of the fit of ratios, which only has to come near
  int search_iterations = 60;  // of the fit that follows it
  double enough_search = 0.1;  // and that of the search, in log-likelihood
  int polished = 2;            // ends of descents that are followed to full accuracy
  double lagging = 3;          // behind the best so far, in log-likelihood: not worth finishing

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("screened", self.screened);
    visit("descents", self.descents);
    visit("agreeing", self.agreeing);
    visit("cheap", self.cheap);
    visit("ratio_iterations", self.ratio_iterations);
    visit("search_iterations", self.search_iterations);
    visit("enough_search", self.enough_search);
    visit("polished", self.polished);
    visit("lagging", self.lagging);
  }
};

// A population, for discontinuities that move (docs/decisions/discontinuities.md).
struct PopulationRules {
  int members_per_unknown = 15;
  int fewest_members = 20;
  int most_members = 150;
  double earliest = 0.25;     // share of the times that the first stage sees; more: early events are lost in late ones
  int stages = 7;             // each with more of the data than the one before
  int generations = 15;       // in each stage; more: dearer, and hardly better
  double leading = 0.2;       // share of the members that the others move towards; less: it narrows too soon
  double least_weight = 0.4;  // of a difference between members; the largest is 1
  double crossover = 0.9;     // share of the unknowns that a trial changes
  double initial_spread = 0.5;  // standard deviation of the logarithm of initial values at the beginning
  int followed = 3;             // members of the last generation from which descents begin
  int rounds = 3;               // populations, while none has led to an answer

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("members_per_unknown", self.members_per_unknown);
    visit("fewest_members", self.fewest_members);
    visit("most_members", self.most_members);
    visit("earliest", self.earliest);
    visit("stages", self.stages);
    visit("generations", self.generations);
    visit("leading", self.leading);
    visit("least_weight", self.least_weight);
    visit("crossover", self.crossover);
    visit("initial_spread", self.initial_spread);
    visit("followed", self.followed);
    visit("rounds", self.rounds);
  }
};

// When an answer is believed, and which of two is the better one.
struct AnswerRules {
  int continued_proofs = 5;       // descents from where a certificate was refused
  double nearly_proved = 0.1;     // gain of a further step, in log-likelihood, that more iterations may well finish
  int lately = 10;                // iterations over which a descent must have died down to be at its end
  double same_trajectory = 1e-6;  // relative difference of joined nodes and one trajectory that is rounding
  double incredible = 1e-6;       // p-value of residuals: the stated noise does not explain them
  double correlated = 2;          // standard deviations of a sum of products of neighbours: they follow each other
  double better = 0.01;           // in log-likelihood, by more than which an answer is the better one
  double told = 2;                // in log-likelihood, within which other minima are told
  double same = 1e-3;             // relative difference of estimates that are one answer
  double still = 1.05;            // times the least motion between measurements that counts as no more
  int between = 24;               // points between two measured times at which motion is looked at

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("continued_proofs", self.continued_proofs);
    visit("nearly_proved", self.nearly_proved);
    visit("lately", self.lately);
    visit("same_trajectory", self.same_trajectory);
    visit("incredible", self.incredible);
    visit("correlated", self.correlated);
    visit("better", self.better);
    visit("told", self.told);
    visit("same", self.same);
    visit("still", self.still);
    visit("between", self.between);
  }
};

// Where further starts are drawn.
struct DrawRules {
  double spread = 10;            // times the guess, where a bound is missing
  double nearest_to_zero = 0.1;  // of the guess
  double other_sign = 0.25;      // share of the values without bounds; the sign of a guess is right more often than not
  double wide_spread = 4;        // standard deviation of the logarithm around a guess without bounds, ...
  double wide_share = 0.3;       // ... for so many of the draws; 1 for the others
  int continuations = 3;         // of the best start, if it lies lower than all that converged
  int weights = 12;              // other initial weights of a network that are tried

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("spread", self.spread);
    visit("nearest_to_zero", self.nearest_to_zero);
    visit("other_sign", self.other_sign);
    visit("wide_spread", self.wide_spread);
    visit("wide_share", self.wide_share);
    visit("continuations", self.continuations);
    visit("weights", self.weights);
  }
};

struct Rules {
  AccountRules account{};
  NodeRules nodes{};
  SmoothingRules smoothing{};
  RoughRules rough{};
  SearchRules search{};
  PopulationRules population{};
  AnswerRules answer{};
  DrawRules draw{};
  solve::Rules solve{};
  shooting::Rules shooting{};
  start::Rules start{};

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("account", self.account);
    visit("nodes", self.nodes);
    visit("smoothing", self.smoothing);
    visit("rough", self.rough);
    visit("search", self.search);
    visit("population", self.population);
    visit("answer", self.answer);
    visit("draw", self.draw);
    visit("solve", self.solve);
    visit("shooting", self.shooting);
    visit("start", self.start);
  }
};

}  // namespace salvo::estimate
