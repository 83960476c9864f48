#pragma once

#include <memory>
#include <optional>
#include <string>

#include "uncertainty/profiles/pulled_prediction.hpp"

namespace salvo::uncertainty {

// An observation not yet made, whose profile is followed. With g what is predicted of it and F its law, a value z is as
// improbable as the normal number u = Phi^-1(F(z)), u = (z - g) / sigma under a normal law, and
//   PL(z) = min L + u^2 / 2
// (docs/mathematics.md, section 20).
class NewObservation {
 public:
  NewObservation(const HeldFits& fits, const Errors& errors, const PulledPrediction& prediction,
                 const PredictionWanted& wanted);

  // Whether what is wanted is an observable whose law tells how it would scatter: it states a noise or needs none.
  static bool exists(const model::Problem& problem, const PredictionWanted& wanted);

  const std::string& id() const { return id_; }
  model::Scale scale() const;  // on which it is followed: that of its law
  bool is_count() const;
  // As of a prediction; without a point where it cannot be evaluated.
  const statistics::ProfileTask& task() const { return task_; }
  double plain_variance() const { return plain_variance_; }
  // With the noise corrected for the quantities that were estimated from the same data.
  const statistics::Spread& corrected() const { return corrected_; }
  // The best fit together with this observation. The start is a point of the fits or one of these.
  statistics::HeldPoint at(double value, const nlp::Point& start) const;

 private:
  void add_datum(const PredictionWanted& wanted);
  void place(const Errors& errors, const PulledPrediction& prediction);
  void add_spread(const Errors& errors, const PulledPrediction& prediction, double sigma);
  std::unique_ptr<shooting::ShootingProblem> with_datum(const model::Problem& problem) const;
  nlp::Point lifted(const nlp::Point& q, double value) const;
  std::optional<double> dispersion_there() const;
  double normal_score(double standardised) const;
  statistics::HeldPoint at_standardised(double value, const nlp::Point& start) const;
  statistics::HeldPoint at_count(double value, const nlp::Point& start) const;

  const HeldFits& fits_;
  std::string id_{};
  model::Problem problem_;  // with one more measurement and, unless it is a count, the observation as an unknown
  int observable_ = 0;
  std::shared_ptr<const compile::CompiledModel> compiled_{};
  int unknown_ = -1;                    // the observation
  std::optional<double> dispersion_{};  // of negative-binomial counts
  statistics::ProfileTask task_{};
  double plain_variance_ = 0;
  statistics::Spread corrected_{};
};

}  // namespace salvo::uncertainty
