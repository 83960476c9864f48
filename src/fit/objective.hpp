#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/matrix.hpp"
#include "base/result.hpp"
#include "base/stop_flag.hpp"
#include "model/problem.hpp"

namespace salvo::fit {

struct ObjectiveOptions {
  std::optional<model::Integrator> integrator{};  // else that of the problem
  double expected_calls = 10'000;                 // together they may be worth machine code, which is decided at once
  double memory = 0;                              // bytes for the steps of trajectories; 0: as usual
  const StopFlag* stop = nullptr;                 // once it is raised, no call succeeds; it must outlive the objective
};

// The negative logarithm of likelihood times prior along unbroken trajectories,
//
//   L(x) = 1/2 |r(x)|^2 + constants for normal noise,    grad L = J'r for every law of noise,
//
// of one problem that is compiled once. x holds the estimated quantities, each on its scale: the parameters and then
// the initial values, in the order of `salvo evaluate`. Calls may come from several threads at a time, and the same x
// gives the same bits, whatever was asked before and elsewhere. Where L cannot be computed, a call says why and leaves
// its result as it was; no number that it gives is anything but finite.
class Objective {
 public:
  struct Quantity {
    std::string id{};  // "k", "x", or "experiment:x"
    model::Scale scale = model::Scale::lin;
    double lower = 0;  // bounds and guess, on the scale
    double upper = 0;
    double guess = 0;
  };
  struct Status {
    bool ok = true;
    std::string message{};
    explicit operator bool() const { return ok; }
  };
  // What x says of one measurement.
  struct Simulation {
    double value = 0;
    double sigma = 0;
  };

  // The problem is copied. Constraints besides bounds are left to the optimiser.
  static Result<Objective> make(const model::Problem& problem, const ObjectiveOptions& options = {});

  const std::vector<Quantity>& quantities() const;
  std::vector<double> guess() const;  // of all quantities
  int rows() const;                   // how many

  Status value(std::span<const double> x, double& out) const;
  // By one adjoint for each trajectory. `out` has the length of x.
  Status gradient(std::span<const double> x, double& value, std::span<double> out) const;
  Status rows(std::span<const double> x, std::vector<double>& out) const;
  // dr/dx, and r with it.
  Status jacobian(std::span<const double> x, std::vector<double>& rows, Matrix& out) const;
  // The expected information; J'J, except for laws whose rows make longer steps than it would.
  Status fisher(std::span<const double> x, Matrix& out) const;
  // The second derivatives of L, by central differences of its exact gradient; symmetric.
  Status hessian(std::span<const double> x, Matrix& out) const;
  // In the order of the problem's measurements.
  Status simulate(std::span<const double> x, std::vector<Simulation>& out) const;

 private:
  struct Parts;
  explicit Objective(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

}  // namespace salvo::fit
