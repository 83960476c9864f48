#pragma once

#include <limits>
#include <memory>

#include "estimate/quantities.hpp"
#include "uncertainty/errors.hpp"
#include "uncertainty/profiles/held_fits.hpp"
#include "uncertainty/profiles/new_observation.hpp"
#include "uncertainty/profiles/options.hpp"
#include "uncertainty/profiles/pulled_prediction.hpp"

namespace salvo::uncertainty {

// Where all profiles of an answer begin.
struct ProfileOrigin {
  const HeldFits& fits;
  const std::vector<estimate::Quantity>& all;
  const Errors& errors;  // at the optimum
  const ProfileOptions& options;
  const std::vector<double>& guesses;  // of the user
  double of_guess = 0;                 // what of a guess is a size

  const nlp::Point& optimum() const { return fits.optimum().q; }
};

// One number whose profile is followed: an estimated quantity, a prediction, or the observation that it is of.
struct Subject {
  std::string id{};
  model::Scale scale = model::Scale::lin;
  int unknown = -1;  // of a quantity
  int derived = -1;  // of a derived quantity, which is predicted: its place among them
  std::shared_ptr<const PulledPrediction> prediction{};
  std::shared_ptr<const NewObservation> observation{};  // of the prediction before it
  statistics::ProfileTask task{};                       // without its direction
  double lower_bound = -std::numeric_limits<double>::infinity();
  double upper_bound = std::numeric_limits<double>::infinity();
  double lower_level = 0;  // rise of the objective at the ends, where they differ
  double upper_level = 0;
  double towards_guess = 0;          // from the estimate, on a logarithmic scale
  bool is_curved_otherwise = false;  // than the expected information says ...
  double error_is_off = 0;           // ... by this logarithm
  bool error_is_too_small = false;   // as the fit at its ends shows
  bool is_unseen = false;            // by the linearisation ...
  std::string with{};                // ... and what moves along there
};

// What is followed: the quantities, derived quantities and predictions that the options ask for, and the observations
// of such predictions. A prediction that cannot be evaluated has no optimum.
std::vector<Subject> choose_subjects(const ProfileOrigin& from);
// Is anything among them that is no estimated quantity?
bool asks_for_predictions(const model::Problem& problem, const ProfileOptions& options);
// One side of a subject.
statistics::ProfileTask task_of(const Subject& subject, int direction);

}  // namespace salvo::uncertainty
