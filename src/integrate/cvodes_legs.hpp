#pragma once

#include <functional>

#include "integrate/cvodes_lane.hpp"
#include "integrate/jump_sweep.hpp"

namespace salvo::integrate {

// A trajectory with discontinuities by CVODES, which starts anew after each of them: leg follows leg, and `slot` of a
// jump counts the legs that lead to it. Derivatives are those of the solution, so jumps are passed as if no step ended
// or began in them (Phi_h = f).
class CvodesLegs {
 public:
  CvodesLegs(const model::Cvodes& choice, const compile::CompiledModel& model, CvodesLane::Start start)
      : choice_(choice), model_(model), start_(std::move(start)) {}

  CvodesLane::Flown fly(const Switchboard::Start& from, std::vector<double>& frozen, std::vector<Jump>& jumps);

  // What CvodesLane gives, after a flight that left these truth values at its beginning and these jumps.
  using AtStop = std::function<void(int k, const double* T)>;
  void tangents(std::span<const double> frozen, const std::vector<Jump>& jumps,
                const std::vector<std::vector<double>>& directions, const AtStop& at_stop);
  std::vector<double> adjoints(std::span<const double> frozen, const std::vector<Jump>& jumps,
                               const std::vector<std::vector<double>>& injected, int scalars);

 private:
  // Behind its jumps: stops that stand where it begins, then those on the way. The last one may have no way to go.
  struct Leg {
    CvodesLane::Start start{};  // its last stop is its end
    int at_begin = 0;
    int on_the_way = 0;
  };
  std::vector<Leg> legs(std::span<const double> frozen, const std::vector<Jump>& jumps) const;
  std::vector<double> with_frozen(std::span<const double> frozen) const;

  model::Cvodes choice_;
  const compile::CompiledModel& model_;
  CvodesLane::Start start_;
};

}  // namespace salvo::integrate
