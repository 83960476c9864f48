#pragma once

#include <vector>

// Every number that shapes errors, intervals and profiles. Each says what it means, its unit and what it does when it
// is larger or smaller. A campaign walks them by `each`.
namespace salvo::statistics {

// What counts as determined by the data.
struct UncertaintyRules {
  // The singular value of a direction that the data cannot see, as a part of the largest, columns scaled to unit
  // length. Larger, and parameters with very large errors are called not identifiable; smaller, and errors of
  // integration pass for information.
  double unseen = 1e-7;
  // The singular value of an unseen direction where probes of the objective have shown that there is none: rounding.
  double unseen_by_rounding = 1e-14;
  // The distance of an active inequality from its limit, relative to its size. Larger,
  // and inequalities that hold with room to spare count as equations.
  double at_limit = 1e-7;
  // The distance of an estimate from a bound at which it stands, relative to its size. Solvers put it there to the last
  // digit; larger, and small estimates above a bound at zero lose their errors.
  double at_bound = 1e-9;
  // The part of a quantity in a null direction of length one that makes it not identifiable. Larger, and a quantity
  // that moves by a hundredth of its size passes for known; smaller, and rounding makes all unknown.
  double takes_part = 1e-3;
  // What is left, by rounding, of the motion of a quantity that active constraints determine, relative to its size.
  double immovable = 1e-13;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("unseen", self.unseen);
    visit("unseen_by_rounding", self.unseen_by_rounding);
    visit("at_limit", self.at_limit);
    visit("at_bound", self.at_bound);
    visit("takes_part", self.takes_part);
    visit("immovable", self.immovable);
  }
};

// Corrections for noise that was estimated from few data.
struct SmallSampleRules {
  // The multiply-adds that a correction may cost, a second or two; beyond it all rows weigh the same. With so many data
  // the correction is small.
  double most_work = 4e9;
  // The numbers that are stored so that predictions have degrees of freedom of their own: 8 MB. Beyond it they have the
  // least of any quantity.
  double most_numbers = 1e6;
  // By how much the sum of the leverages may miss the rank, relative to it, before they count as rounding, and are
  // taken as equal. Where trajectories grow by many powers of ten, they miss it by more.
  double credible_sum = 1e-2;
  // The relative change of restricted variances that is not worth another round: far below what any sample
  // leaves undecided.
  double settled = 1e-6;
  // The number of rounds after which the variances of the likelihood stay. Rounds are cheap,
  // and this is where they do not converge.
  int most_rounds = 1000;
  // By how much a part of a variance that is one may miss it by rounding; and what makes the equations of variances
  // regular where residuals cannot tell one noise from another.
  double rounding = 1e-12;
  // The eigenvalue of the correlations between noises that share their data below which residuals do not tell them
  // apart, and only their sum is known; and the part of a noise in all its data below which it has vanished. Smaller,
  // and weights between noises count as guessed at random.
  double told_apart = 1e-3;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("most_work", self.most_work);
    visit("most_numbers", self.most_numbers);
    visit("credible_sum", self.credible_sum);
    visit("settled", self.settled);
    visit("most_rounds", self.most_rounds);
    visit("rounding", self.rounding);
    visit("told_apart", self.told_apart);
  }
};

// The path of a profile likelihood.
struct ProfileRules {
  // The precision of the rise of the objective at the end of an interval, in log-likelihood. Larger, and ends of flat
  // profiles are off; smaller costs fits.
  double tolerance = 1e-4;
  // The precision of that end, as a part of itself and of its distance; what is smaller than this part of the estimate
  // has vanished.
  double end_tolerance = 1e-6;
  // The same for an interval that is printed beside an estimate, to four digits; smaller costs one fit more for each
  // end.
  double interval_tolerance = 1e-4;
  // Where points are wanted on the way to the end, as parts of the root of its rise, for the picture of the profile.
  // More points cost a fit each; with fewer, a second minimum on the way goes unnoticed.
  std::vector<double> stops = {0.35, 0.7, 1};
  // The most by which a step grows against the one before; after a step whose end was predicted badly the next is no
  // longer. Larger, and a path that bends is lost; smaller costs fits where it is straight.
  double growth = 3;
  // The part of a step that is tried after it failed, and of a value in one step towards zero.
  double cut = 0.25;
  // The fall of the objective below the optimum that means another, better optimum, in log-likelihood: above what
  // solvers leave undone.
  double lower = 1e-3;
  // The number of points on one side: six decades in steps that grow threefold take 13.
  int most_points = 60;
  // The number of times that a step is cut before the path fails: 0.25^8 is 1e-5 of it.
  int most_cuts = 8;
  // The fall of the objective, as a part of the level, that separates two valleys. Smaller, and every wiggle is one.
  double dip = 0.05;
  // The part of a way that is not worth a point of its own: a stop this close is left out, points this close together
  // predict no better than one, and a first step of which nothing is known is this part of the size of the number.
  double close = 0.1;
  // The value from which zero may be stepped over, as a part of the first step: there may be a pole at zero.
  double near_zero = 0.05;
  // The growth of another unknown that tells that only its product with the profiled one is seen. Then zero is not
  // crossed.
  double runaway = 10;
  // The part of a bracket that Newton's method stays away from its ends, and of a distance in which the end of an
  // interval next to zero is resolved.
  double margin = 1e-3;
  // The number of points in a bracket after which the next ones halve it: where the objective jumps, slopes do not find
  // the end.
  int newton_points = 4;

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance);
    visit("end_tolerance", self.end_tolerance);
    visit("interval_tolerance", self.interval_tolerance);
    for (auto& stop : self.stops) visit("stops", stop);
    visit("growth", self.growth);
    visit("cut", self.cut);
    visit("lower", self.lower);
    visit("most_points", self.most_points);
    visit("most_cuts", self.most_cuts);
    visit("dip", self.dip);
    visit("close", self.close);
    visit("near_zero", self.near_zero);
    visit("runaway", self.runaway);
    visit("margin", self.margin);
    visit("newton_points", self.newton_points);
  }
};

struct Rules {
  UncertaintyRules uncertainty{};
  SmallSampleRules small_samples{};
  ProfileRules profile{};

  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("uncertainty", self.uncertainty);
    visit("small_samples", self.small_samples);
    visit("profile", self.profile);
  }
};

}  // namespace salvo::statistics
