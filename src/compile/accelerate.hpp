#pragma once

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "compile/compiled_model.hpp"

namespace salvo::compile {

// A model whose kernels are machine code; null if there is none to be had, and why.
struct Accelerated {
  std::shared_ptr<const CompiledModel> model{};
  std::string trouble{};
};

// What machine code is wanted for: a kernel costs more to translate than most evaluations of it do.
struct Wanted {
  int lanes = 4;
  bool tangents = true;                  // forward sweeps by f_x and f_p
  bool jacobian = true;                  // f_x and f_p for backward sweeps of many scalars
  bool vjp = true;                       // lambda' f_x and lambda' f_p
  bool directions = false;               // products with f_x and f_p
  bool stiff = false;                    // and what linearly implicit steps need for each of these
  const Tableau* whole_steps = nullptr;  // of this method, each in one piece where the model is small

  auto operator<=>(const Wanted&) const = default;
};

// The right-hand side and what else is wanted, and observables that are more than a state or two. None once `stop` is
// raised.
Accelerated accelerate(const CompiledModel& model, const Wanted& wanted, const StopFlag* stop = nullptr);

// Instructions that it would translate.
int instructions_to_translate(const CompiledModel& model, const Wanted& wanted);
// What it costs to make, in instructions and lanes that could be interpreted in that time.
double price_of_machine_code(const CompiledModel& model, const Wanted& wanted);

// Machine code is made once for all who share a model; what was given up may be asked for again.
class Accelerator {
 public:
  Accelerated accelerated(const CompiledModel& model, const Wanted& wanted, const StopFlag* stop = nullptr) {
    const std::lock_guard lock(mutex_);
    if (const auto found = made_.find(wanted); found != made_.end()) return found->second;
    Accelerated made = accelerate(model, wanted, stop);
    if (made.model || !is_raised(stop)) made_.emplace(wanted, made);
    return made;
  }

 private:
  std::mutex mutex_;
  std::map<Wanted, Accelerated> made_;
};

}  // namespace salvo::compile
