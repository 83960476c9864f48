#pragma once

#include <string>
#include <vector>

#include "compile/kernel.hpp"
#include "compile/pattern.hpp"

namespace salvo::compile {

// x_i(t - tau_k): a delayed value.
struct Look {
  int state = 0;
  int delay = 0;
};

// What a state was before the start: a formula of time and parameters, or for ever its initial value.
struct HistoryKernel {
  bool is_initial = true;
  Kernel value{};                   // [phi]
  Kernel derivative{};              // non-zeros of phi_p, then phi_t
  Kernel by_time{};                 // of the same, by time
  std::vector<int> by_parameter{};  // active ones
};

// What formulas see of the past. Delayed values stand among the parameters of kernels, behind what stands still within
// a step; observables read them behind the states.
struct Delays {
  int first = 0;                         // place of the first delayed value among the parameters
  std::vector<Look> looks{};             // each once
  std::vector<std::string> texts{};      // of every delay, in the user's words
  Kernel tau{};                          // every delay
  Kernel tau_derivative{};               // non-zeros by active parameters
  Pattern tau_by_p{};                    // rows: delays
  std::vector<HistoryKernel> history{};  // of every state
  std::vector<bool> begins_at_rest{};    // of every experiment: its history is where it rested

  Kernel jacobian{};       // non-zeros of f_x, f_p, f_z, f_t
  Pattern f_z{};           // columns: looks
  std::vector<int> f_t{};  // rows

  int count() const { return static_cast<int>(looks.size()); }
  int largest_work() const;
};

}  // namespace salvo::compile
