#pragma once

// Every number that shapes the start of a fit. Each says what it means, its unit, what it does when it is larger or
// smaller, and how it was found (docs/decisions/start-values.md). A campaign walks them by `each`.
namespace salvo::start {

// How the measurements of a state become a curve.
struct CurveRules {
  // The number of points that a curve needs. With more, short series are not smoothed and the fit starts at the guess
  // (12: four of 25 problems take half as many iterations again); three noisy points draw a parabola that means
  // nothing.
  int fewest_points = 4;
  // The number of points that a curve needs, as a part of those of the state that is measured most. Larger: sparse
  // states are simulated; smaller: they are interpolated across times in which others show that much happened.
  double fair_share = 0.5;
  // The number of points that a curve is made of; neighbours in a longer series are averaged. More cost time and memory
  // and show nothing new, a hundred of them to a node; fewer blur what is fast.
  int most_points = 20'000;
  // The precision of the smoothing parameter λ, in powers of ten. Finer costs solutions of the spline's equations and
  // changes less than the noise does; at 0.1 one of 25 problems takes an iteration more.
  double precision = 0.03;
  // How far a curve misses a datum that it does not know before this is fast motion and not noise, in standard errors.
  // At 1 and at 9 fits of published problems take a few iterations more.
  double noise_span = 3;
  // What a coarse curve misses between its knots beyond noise, as a part of its range. Larger, and fast states are read
  // off curves that cut their corners; smaller, and slow states are simulated too, which costs more.
  double coarse = 0.02;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("fewest_points", self.fewest_points);
    visit("fair_share", self.fair_share);
    visit("most_points", self.most_points);
    visit("precision", self.precision);
    visit("noise_span", self.noise_span);
    visit("coarse", self.coarse);
  }
};

// The method of Levenberg and Marquardt that matches integrals, and Newton's method that inverts observables.
struct LeastSquaresRules {
  // The number of iterations of one search. From 13 to 120 nothing changes.
  int iterations = 40;
  // The damping of the first step, relative to the squared lengths of the columns, and the least from which it grows
  // after a step that failed. Smaller (1e-7), and the pathway of 36 parameters is lost from some guesses; up
  // to 1e-2 nothing changes.
  double first_damping = 1e-4;
  // The factor by which damping falls after a step that is taken and grows after one that is not. From 3 to 10 nothing
  // changes.
  double damping_factor = 10;
  // The relative fall of the sum of squares that is not worth another iteration; damping does not fall below it, and
  // where it comes to its reciprocal the search ends. Smaller buys digits of a start value; at 1e-4 unknowns that the
  // rows hardly see stay behind.
  double least_gain = 1e-6;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("iterations", self.iterations);
    visit("first_damping", self.first_damping);
    visit("damping_factor", self.damping_factor);
    visit("least_gain", self.least_gain);
  }
};

// Parameters by integral matching (docs/mathematics.md, eq. 30).
struct MatchingRules {
  // The operations that a match may cost, a second or two. Where 40 iterations cost more, nothing is matched.
  double most_operations = 3.2e9;
  // The number of parameters in one equation beyond which nothing is matched. Networks have more: without this limit a
  // spiral learnt by one takes 46 iterations in place of 63, but ends 1.5 worse in log-likelihood.
  int most_row_entries = 200;
  // The root mean square of residuals that noise explains, in standard errors. A worse match is looked for from other
  // guesses, and a state that fits worse weighs less. At 3, predator and prey with negative guesses end in a second
  // minimum 3 times in 100; at 0.5, matches that are good are looked for again.
  double good_match = 1.5;
  // The squares of a later match, as a part of the squares of the one before, that make it replace it. Data at equal
  // distances fit nearly as well to a motion with one more turn from each to the next: at 1, one fit in 100 ends there.
  double much_better = 0.5;
  // The ratio of the bounds of a positive parameter from which on it is moved by its logarithm: with decades to go, a
  // long linear step throws it onto a bound from which nothing brings it back. Smaller costs linear problems their one
  // step.
  double log_range = 1e3;
  // The factor f between guesses that are tried: magnitudes times 1, 1/f, f and 1/f^2. At 4 and 5 no fit of predator
  // and prey from log-uniform guesses with partial data is lost, at 3 one in 300, without the last three in 300.
  double guess_factor = 4;
  // The number of pieces of an experiment, where there are as many knots and curves with fewer degrees of freedom. More
  // cost time; 7 lose what is fast.
  double fewest_pieces = 20;
  // The error of a curve in the middle of two knots, as a part of the one at a knot that is left out. At a third of
  // this four of 25 problems take some iterations more, at three times this one does.
  double between_knots = 0.25;
  // The least error of an increment, as a part of the range of its curve: of data without noise, curves are not exact
  // either. Without it a pathway of 36 parameters and exact data is matched to the errors of its splines, and lost;
  // from 1e-6 to 1e-4 nothing changes.
  double curve_error = 1e-5;
  // The number of Runge-Kutta steps between two stops where a state is simulated: six are stable for states that settle
  // within a sixteenth of the distance of their data, two within a fifth.
  int steps_between = 6;
  // The number of Runge-Kutta steps of an experiment with hidden states, which nothing brings back to the data. With
  // 120 an increment of a driven Lorenz system is off by 0.05 within 3 units; from 67 to 600 no fit changes.
  int fewest_steps = 200;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("most_operations", self.most_operations);
    visit("most_row_entries", self.most_row_entries);
    visit("good_match", self.good_match);
    visit("much_better", self.much_better);
    visit("log_range", self.log_range);
    visit("guess_factor", self.guess_factor);
    visit("fewest_pieces", self.fewest_pieces);
    visit("between_knots", self.between_knots);
    visit("curve_error", self.curve_error);
    visit("steps_between", self.steps_between);
    visit("fewest_steps", self.fewest_steps);
  }
};

struct Rules {
  CurveRules curves{};
  LeastSquaresRules least_squares{};
  MatchingRules matching{};
  // The standard errors at which a residual stops to count for more, and counts as much as a gap of the whole size of
  // its state, in the comparison of starts (31). From 6 to 17 the same starts win.
  double outlier = 10;
  // The root mean square of residuals and gaps, in standard errors, at which a start is good enough. At 6 fits start
  // too early and take half as many iterations again; smaller costs trajectories of starts that win nothing.
  double within_noise = 2;
  // The steps of one trajectory beyond which a start is not worth trying first.
  int most_steps = 5'000;
  // The number of times that parameters are halved until trajectories exist: by a million in all.
  int most_halvings = 20;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("curves", self.curves);
    visit("least_squares", self.least_squares);
    visit("matching", self.matching);
    visit("outlier", self.outlier);
    visit("within_noise", self.within_noise);
    visit("most_steps", self.most_steps);
    visit("most_halvings", self.most_halvings);
  }
};

}  // namespace salvo::start
