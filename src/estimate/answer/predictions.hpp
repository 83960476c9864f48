#pragma once

#include <functional>
#include <vector>

#include "results/predictions.hpp"
#include "shooting/watched_problem.hpp"

namespace salvo::estimate {

// Whether a run has come to a point: not where it had to stop first. Where nothing is estimated, a point has no
// numbers.
bool is_point_of(const shooting::ShootingProblem& shooting, const nlp::Point& q);

// What the point says of every measurement, and of every validation measurement: read off the trajectory of the
// interval it falls into, or of the last one, carried on.
struct Predictions {
  bool ok = false;
  std::vector<Prediction> fitted{};
  std::vector<Prediction> validation{};
};
// Hands over what is said of every fitted measurement, one after the other: nothing of long data is kept.
void each_prediction(const shooting::ShootingProblem& shooting,
                     const std::vector<shooting::ShootingProblem::Predicted>& predicted,
                     const std::function<void(const Prediction&)>& take);
Predictions predict_all(const shooting::ShootingProblem& shooting, const nlp::Point& q,
                        const nlp::Request& request = {});
// By what was seen there last, if it was there.
Predictions predict_all(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request,
                        shooting::LastValues& last);
std::vector<Prediction> predict_validation(const shooting::ShootingProblem& shooting, const nlp::Point& q);

}  // namespace salvo::estimate
