#pragma once

#include <span>
#include <string>

#include "shooting/pass.hpp"
#include "shooting/rows.hpp"

namespace salvo::shooting {

// Turns measurements into rows of r and J, or into their share J'r of the objective's gradient.
class RowWriter {
 public:
  // v_j of a chain, and the slot of the pass that takes its sums.
  struct Block {
    int chain = 0;
    int j = 0;
    int slot = 0;
  };

  RowWriter(const ShootingProblem& shooting, Pass& pass, Workspace& workspace);

  // Writes what a measurement at state x says. Inside an interval x depends on the unknowns through the trajectory;
  // that part of the derivatives is left to the sweep over it, in Workspace::inner. False: trouble() says why.
  bool write(const Block& block, const LocatedMeasurement& located, const double* x);

  // What was wrong with the last measurement that could not be written.
  const std::string& trouble() const { return trouble_; }

  // J'r of one row that is given by (s_j, p).
  void add_to_gradient(const Block& block, double r, std::span<const double> by_state,
                       std::span<const double> by_active);

 private:
  // use(row, r, d row / d x, d row / d p) for each row of a measurement at state x.
  template <class Use>
  Observed each_row(int chain, const LocatedMeasurement& located, const double* x, const Use& use);
  void leave_to_sweep(int stop, int row, double r, std::vector<double>& by_x);
  void store_slopes(const Block& block, int stop, int row);
  void write_row(const Block& block, int row, double r);
  void differentiate_row(const compile::ObservableKernel& kernel, const Observed& observed, double of_g,
                         double of_sigma);

  const ShootingProblem& shooting_;
  Pass& pass_;
  Workspace& workspace_;
  Observer observer_;
  std::string trouble_{};
};

template <class Use>
Observed RowWriter::each_row(int chain, const LocatedMeasurement& located, const double* x, const Use& use) {
  const double* p = pass_.experiments[chain].p.data();
  const Observed observed = observer_.observe(located.measurement, x, p, pass_.wants_derivatives());
  if (!observed.row.ok) return observed;
  const compile::ObservableKernel& kernel =
      shooting_.model().observable_of(shooting_.problem().measurements[located.measurement]);
  const auto use_row = [&](int which, double r, double of_g, double of_sigma) {
    if (pass_.wants_derivatives()) differentiate_row(kernel, observed, of_g, of_sigma);
    use(located.row + which, r, workspace_.row_x, workspace_.row_p);
  };
  use_row(0, observed.row.r_g, observed.row.weight_g, located.sigma_row ? observed.row.weight_cross : 0);
  if (located.sigma_row) use_row(1, observed.row.r_sigma, 0, observed.row.weight_sigma);
  return observed;
}

}  // namespace salvo::shooting
