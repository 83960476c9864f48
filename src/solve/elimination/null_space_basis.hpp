#pragma once

#include "dense/pivoted_qr.hpp"

namespace salvo::solve {

// All x with E x + e = 0: x = particular(e) + basis w, basis orthonormal. Rows of E that are lost in rounding do not
// count. Where E = [F -I], as condensed chains have it, x is the graph of a map: x = (w, F w + e), and no rank is
// asked.
class NullSpaceBasis {
 public:
  explicit NullSpaceBasis(const Eigen::MatrixXd& E);
  const Eigen::MatrixXd& basis() const { return basis_; }
  Eigen::MatrixXd particular(const Eigen::MatrixXd& e) const;  // -E^+ e, columnwise
  // Growth has made the ends of a chain, E = [A B], follow from θ through tiny numbers.
  bool is_ill_conditioned() const;

 private:
  void take_graph(const Eigen::MatrixXd& F);

  bool is_graph_ = false;
  dense::PivotedQr qr_;  // of E', unless it is a graph
  Eigen::MatrixXd range_;
  Eigen::MatrixXd basis_;
};

}  // namespace salvo::solve
