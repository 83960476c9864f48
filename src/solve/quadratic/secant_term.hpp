#pragma once

#include <vector>

#include "base/matrix.hpp"

namespace salvo::solve {

// What the expected information leaves out of the Hessian, S ~ H - R'R, learnt from exact gradients along the way by
// the structured secant update of Dennis, Gay and Welsch ([DennisGayWelsch81]):
//   S+ s = y#,   y# = (g+ - g) - R+'R+ s,   S sized before it is updated.
// It is used where it has predicted the last change of the objective better than the information alone.
class SecantTerm {
 public:
  SecantTerm() = default;
  // As another one was, with these entries.
  SecantTerm(std::vector<double> entries, bool is_better);
  // After a step s from where the gradient was `before` to where it is `after`.
  void update(const std::vector<double>& s, const std::vector<double>& before, const std::vector<double>& after,
              const Matrix& R_after);
  // From a Hessian that was computed: it is believed until it foresees worse.
  void renew(Matrix S);
  // Unknowns are measured in other units from now on, so many times as large as before.
  void rescale(const std::vector<double>& by);
  // What the two models predicted of a change that came to `actual`.
  void compare(double without, double with, double actual);

  const Matrix& S() const { return S_; }
  bool is_known() const { return S_.rows > 0; }
  bool is_better() const { return is_better_ && is_known(); }
  bool operator==(const SecantTerm& other) const {
    return S_.data == other.S_.data && is_better() == other.is_better();
  }

 private:
  Matrix S_{};
  bool is_better_ = false;
};

}  // namespace salvo::solve
