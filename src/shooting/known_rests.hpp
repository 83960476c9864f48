#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "compile/compiled_model.hpp"
#include "integrate/steady_state.hpp"

namespace salvo::shooting {

// Steady states that were found lately: experiments share them, and a point is often asked for twice, for its values
// and then for its derivatives. They are found by the bits of all that they depend on, so that what is handed out is
// what would be computed, and counts as that much work.
class KnownRests {
 public:
  struct Wish {
    bool with_derivatives = false;
    double expected_evaluations = 0;  // of the equations, in fits to come: they may be worth machine code
  };
  // Where the model comes to rest from x0 with p.
  const integrate::SteadyState& of(const compile::RestingModel& resting, const std::vector<double>& x0,
                                   const std::vector<double>& p, const Wish& wish);

 private:
  struct Known {
    std::shared_ptr<const compile::CompiledModel> model{};  // held, so that no other has its address
    bool with_derivatives = false;
    integrate::SteadyState rest{};
  };
  std::unordered_map<std::string, Known> known_{};  // by the bits of what they depend on
  std::deque<std::string> by_age_{};
};

}  // namespace salvo::shooting
