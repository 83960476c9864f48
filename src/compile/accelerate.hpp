#pragma once

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

// The kernels of integration for so many lanes, and the observables for one.
Accelerated accelerate(const CompiledModel& model, int lanes);

// Machine code is made once for all who share a model.
class Accelerator {
 public:
  Accelerated accelerated(const CompiledModel& model, int lanes) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = made_.try_emplace(lanes);
    if (is_new) place->second = accelerate(model, lanes);
    return place->second;
  }

 private:
  std::mutex mutex_;
  std::map<int, Accelerated> made_;
};

}  // namespace salvo::compile
