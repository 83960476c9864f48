#pragma once

#include "shooting/rules.hpp"
#include "solve/rules.hpp"
#include "start/rules.hpp"

// Every number that shapes what an estimate does, each with what it means, its unit, and what more or less of it does.
// How they were found, and what campaigns say of each: docs/decisions/tuned-numbers.md.
namespace salvo::estimate {

// What a fit may spend, and when it is allowed to think that it is done.
struct AccountRules {
  double operations = 3e10;  // of one fit. More: hard problems are followed for longer, and hopeless ones too
  double drawn = 0.2;        // of these for a start whose guess was drawn; more: fewer starts in the same time
  double evaluations = 600;  // of all data, that the account pays for however long they are; less: long data are cut
  double first_way = 0.5;    // mark up to which the first of several ways may go; more: less is left for the others
  double look = 0.01;        // share of a search, a population or a look for mirror images
  double drawn_look = 0.1;   // that of a search from a drawn guess, of its smaller account; less: fewer find the best
  double settled = 0.1;      // of its share, for a way that looks further where there is an answer already
  double cheap = 1e7;        // operations that are nothing worth counting: a change of nodes, a search that goes on
  int iterations = 200;      // of one run of a solver, unless the user says; less: slow descents end before their time
  int scalar_iterations = 500;  // those of the paper's method, which takes more and cheaper ones

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("operations", self.operations);
    visit("drawn", self.drawn);
    visit("evaluations", self.evaluations);
    visit("first_way", self.first_way);
    visit("look", self.look);
    visit("drawn_look", self.drawn_look);
    visit("settled", self.settled);
    visit("cheap", self.cheap);
    visit("iterations", self.iterations);
    visit("scalar_iterations", self.scalar_iterations);
  }
};

// Nodes that the flow itself chooses (docs/decisions/nodes.md).
struct NodeRules {
  int shown = 4;                // measurements of one state alone show it; fewer: nodes are laid on too little
  int refinements = 6;          // of a start; more: chaotic flows are cut shorter before anything is tried
  int least_intervals = 20;     // that a start is merged down to: it has not yet shown how its flow will be
  double worth_a_change = 0.8;  // work of an iteration after a merger, of that before; more: merged for little
  int changes = 10;             // of nodes within a run; more: a run that fails is cut again and again

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("shown", self.shown);
    visit("refinements", self.refinements);
    visit("least_intervals", self.least_intervals);
    visit("worth_a_change", self.worth_a_change);
    visit("changes", self.changes);
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
  int descents = 30;           // at most
  int agreeing = 5;            // descents that found the best: it is believed, unless the search was cheap
  int ratio_iterations = 12;   // of the fit of ratios, which only has to come near
  int search_iterations = 60;  // of the fit that follows it
  int polished = 2;            // ends of descents that are followed to full accuracy
  double lagging = 3;          // behind the best so far, in log-likelihood: not worth finishing

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("screened", self.screened);
    visit("descents", self.descents);
    visit("agreeing", self.agreeing);
    visit("ratio_iterations", self.ratio_iterations);
    visit("search_iterations", self.search_iterations);
    visit("polished", self.polished);
    visit("lagging", self.lagging);
  }
};

// A population, for discontinuities that move (docs/decisions/discontinuities.md).
struct PopulationRules {
  int members_per_unknown = 15;
  int fewest_members = 20;
  int most_members = 150;
  double earliest = 0.25;      // share of the times that the first stage sees; more: early events are lost in late ones
  int stages = 7;              // each with more of the data than the one before
  int generations = 15;        // in each stage; more: dearer, and hardly better
  int fewest_generations = 5;  // where trajectories cost much; fewer: members are not yet sorted when data come in
  double leading = 0.2;        // share of the members that the others move towards; less: it narrows too soon
  double least_weight = 0.4;   // of a difference between members; the largest is 1
  double crossover = 0.9;      // share of the unknowns that a trial changes
  double initial_spread = 0.5;  // standard deviation of the logarithm of initial values at the beginning
  int rounds = 3;               // populations, while none has led to an answer

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("members_per_unknown", self.members_per_unknown);
    visit("fewest_members", self.fewest_members);
    visit("most_members", self.most_members);
    visit("earliest", self.earliest);
    visit("stages", self.stages);
    visit("generations", self.generations);
    visit("fewest_generations", self.fewest_generations);
    visit("leading", self.leading);
    visit("least_weight", self.least_weight);
    visit("crossover", self.crossover);
    visit("initial_spread", self.initial_spread);
    visit("rounds", self.rounds);
  }
};

// When an answer is believed, and which of two is the better one.
struct AnswerRules {
  int continued_proofs = 5;    // descents from where a certificate was refused
  double nearly_proved = 0.1;  // gain of a further step, in log-likelihood, that a search leaves, and more iterations
                               // may well finish
  double incredible = 1e-6;    // p-value of residuals: the stated noise does not explain them
  double correlated = 2;       // standard deviations of a sum of products of neighbours: they follow each other
  double better = 0.01;        // in log-likelihood, by more than which an answer is the better one
  double far_out = 2;          // powers of ten from the guess, beyond which a flat place is looked back from
  int followed = 3;            // best of many points (a population, a way back, aliases) from which descents begin
  int continuations = 3;       // of an answer that is not proved and lies lower than all that are
  double told = 2;             // in log-likelihood, within which other minima are told
  double same = 1e-3;          // relative difference of estimates that are one answer
  double still = 1.05;         // times the least motion between measurements that counts as no more
  int between = 24;            // points between two measured times at which motion is looked at
  double alias = 1;            // mean square of differences at the measurements, in noises, that a descent may close
  double integration_shift = 0.05;  // standard errors by which errors of integration may move an estimate
  double integration_growth = 100;  // times the tolerance that errors of integration may have grown to unnoticed

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("continued_proofs", self.continued_proofs);
    visit("nearly_proved", self.nearly_proved);
    visit("incredible", self.incredible);
    visit("correlated", self.correlated);
    visit("better", self.better);
    visit("far_out", self.far_out);
    visit("followed", self.followed);
    visit("continuations", self.continuations);
    visit("told", self.told);
    visit("same", self.same);
    visit("still", self.still);
    visit("between", self.between);
    visit("alias", self.alias);
    visit("integration_shift", self.integration_shift);
    visit("integration_growth", self.integration_growth);
  }
};

// Where further starts are drawn.
struct DrawRules {
  double spread = 10;            // times the guess, where a bound is missing
  double nearest_to_zero = 0.1;  // of the guess
  double above_zero = 1e-3;      // of the guess, where a range on a logarithmic scale may begin at zero
  double turned = 0.1;       // share of the draws around a positive guess that are negative; of a negative one, half
  double other_sign = 0.25;  // share of the values without bounds; the sign of a guess is right more often than not
  double wide_spread = 4;    // standard deviation of the logarithm around a guess without bounds, ...
  double wide_share = 0.3;   // ... for so many of the draws; 1 for the others
  int weights = 12;          // other initial weights of a network that are tried

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("spread", self.spread);
    visit("nearest_to_zero", self.nearest_to_zero);
    visit("above_zero", self.above_zero);
    visit("turned", self.turned);
    visit("other_sign", self.other_sign);
    visit("wide_spread", self.wide_spread);
    visit("wide_share", self.wide_share);
    visit("weights", self.weights);
  }
};

// Intervals of the likelihood in the place of those of standard errors (docs/how-sure.md).
struct IntervalRules {
  double confirmed = 0.05;        // by how much the likelihood may end elsewhere, in distances; less: more are followed
  double share = 0.5;             // operations, in those of the fit; less: intervals of large models stay Wald's
  double least_operations = 2e8;  // that they may take in any case: a third of a second or less

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("confirmed", self.confirmed);
    visit("share", self.share);
    visit("least_operations", self.least_operations);
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
  IntervalRules intervals{};
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
    visit("intervals", self.intervals);
    visit("solve", self.solve);
    visit("shooting", self.shooting);
    visit("start", self.start);
  }
};

}  // namespace salvo::estimate
