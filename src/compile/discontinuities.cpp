#include "compile/discontinuities.hpp"

#include <algorithm>

namespace salvo::compile {

int Discontinuities::largest_work() const {
  int size = std::max(
      {as_written.work_size(), motion.work_size(), conditions.work_size(), priorities.work_size(), f_t.work_size()});
  for (const SwitchingFunction& function : functions)
    size = std::max({size, function.time.work_size(), function.derivative.work_size()});
  for (const EventKernel& event : events)
    size = std::max({size, event.value.work_size(), event.derivative.work_size()});
  return size;
}

}  // namespace salvo::compile
