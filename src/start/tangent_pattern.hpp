#pragma once

#include <vector>

#include "compile/compiled_model.hpp"
#include "shooting/experiment_values.hpp"

namespace salvo::start {

// Which unknowns (theta, then v_0) the derivative of each state can depend on where only some states are simulated, and
// what the product f_x T + f_p dp/dtheta consists of. Row i holds the entries start[i] to start[i + 1].
struct TangentPattern {
  std::vector<int> start{0};
  std::vector<int> column{};

  struct Product {  // to += jacobian[nonzero] * from
    int nonzero = 0;
    int from = 0;
    int to = 0;
  };
  struct Formula {  // to += jacobian[nonzero] * slope
    int nonzero = 0;
    double slope = 0;
    int to = 0;
  };
  std::vector<Product> products{};
  std::vector<Formula> formulas{};

  int entries() const { return static_cast<int>(column.size()); }
  int place(int row, int unknown) const;  // of an entry that is there
};

// `simulated` tells of each state that it is solved for, `begins_free` that it begins where s_0 says.
TangentPattern tangent_pattern(const compile::CompiledModel& model, const shooting::ExperimentValues& values,
                               int thetas, int unknowns, const std::vector<char>& simulated,
                               const std::vector<char>& begins_free);

}  // namespace salvo::start
