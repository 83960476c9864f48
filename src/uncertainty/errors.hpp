#pragma once

#include "shooting/shooting_problem.hpp"
#include "solve/certificate/certificate.hpp"
#include "solve/result.hpp"
#include "statistics/small_samples.hpp"
#include "statistics/uncertainty.hpp"

namespace salvo::uncertainty {

// What the data say about the estimates at a point, on their scales.
struct Errors {
  bool known = false;
  statistics::Uncertainty uncertainty{};
  statistics::SmallSamples corrected{};  // for the noise that was estimated from the same data
  Matrix sampling{};                     // how estimates scatter over repeated data, if it was asked for
};

// Whether probes have shown that there is no direction that the data cannot see.
bool has_full_rank(const solve::Certificate& certificate, std::size_t quantities);

struct ErrorsFor {
  bool full_rank = false;  // probes have shown that there is no direction that the data cannot see
  bool sampling = false;
  const std::optional<Matrix>* root = nullptr;  // of the covariance, if it is known for the solver's last blocks
};
Errors errors_of(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved, const ErrorsFor& wanted);

}  // namespace salvo::uncertainty
