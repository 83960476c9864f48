#pragma once

#include <optional>
#include <vector>

#include "nlp/problem.hpp"
#include "statistics/rules.hpp"
#include "statistics/uncertainty.hpp"

namespace salvo::statistics {

// What a row of the objective stands for, in the order of row_influence.
struct RowRole {
  int measurement = -1;          // -1: a prior
  bool of_noise = false;         // its noise, not its mean
  bool crosses = false;          // the row of a limit, which tells of mean and noise at once
  double scale_information = 0;  // of one datum about log sigma, where `of_noise`: 2 for a normal law
};

// An estimated noise that is the scale of its law.
struct NoiseScale {
  double inflation = 1;  // by which the maximum-likelihood variance is too small
  double degrees = 0;    // of freedom that are left to it
  bool is_whole = true;  // all that its data scatter with, and no part of it
};

// What small samples ask for (docs/mathematics.md, section 9). The maximum-likelihood sigma is too small because the
// means were fitted to the same data: residual i keeps 1 - h_i of its variance, h_i its leverage. Noise parameter a
// stands on shares w_ia of the measurements (sum 1), and is too small by c_a = 1 / (1 - sum_i w_ia h_i), n/(n - k)
// where there is one. Where a datum scatters with several noises, each has the part d log sigma_i / d log of it. The
// covariance is formed with the corrected variances; where several noises enter, it grows for the weights that were
// guessed, and its Student's degrees of freedom are Satterthwaite's.
struct SmallSamples {
  Matrix covariance{};
  std::vector<double> degrees{};  // of every quantity; infinite where its error rests on known noise
  // Those of the levels of profiles, which do not depend on how the weights between noises scatter about theirs.
  Matrix of_profiles{};
  std::vector<double> profile_degrees{};
  std::vector<NoiseScale> profile_noise{};
  // For numbers that are no quantities, unless there are too many of these: the covariance if the weights between data
  // of different noise were known, what each estimated noise has in it, and the relative covariance of their variances.
  Matrix at_known_weights{};
  std::vector<Matrix> by_noise{};
  Matrix spread{};
  Matrix part{};  // of each estimated noise in that of every measurement; its rows add up to 1, or to 0
  std::vector<NoiseScale> noise{};  // of every theta; those that are no noise keep the defaults
  std::vector<double> inflation{};  // of the variance of every measurement
  // What of all information the priors bring, as eigenvalues where all of it is I; those that are 0 may be missing.
  // Nothing where it could not be computed.
  std::optional<std::vector<double>> by_priors{};
  double trace_of_means = 0;  // of the hat matrix of the means
  double trace_of_data = 0;   // of means and noise: the effective number of estimated quantities
};
// The variance of a number that moves by d when the quantities move, for the level of its profile, and Student's
// degrees of freedom of its error.
struct Spread {
  double variance = 0;
  double degrees = 0;
};
Spread spread_along(const SmallSamples& samples, const std::vector<double>& d);
// Those of an observation not yet made, which scatters about that number with this variance, before correction, as the
// measurement `like` does; -1: its noise is known.
Spread spread_of_new(const SmallSamples& samples, const std::vector<double>& d, double variance, int like);

// `units`: by how much each theta moves where its value grows by a factor, per unit of the logarithm of that; empty:
// all are logarithms.
SmallSamples small_samples(const nlp::Layout& layout, const nlp::Blocks& blocks, const Uncertainty& uncertainty,
                           const std::vector<RowRole>& roles, int measurements, const std::vector<double>& units = {},
                           const SmallSampleRules& rules = {});

// How far estimates that lean on priors scatter over repeated data: C F C = C - C P C, with F what the data say, P what
// the priors say, and C = (F + P)^-1.
Matrix sampling_covariance(const nlp::Layout& layout, const nlp::Blocks& blocks, const Uncertainty& uncertainty,
                           const std::vector<RowRole>& roles);

}  // namespace salvo::statistics
