#pragma once

#include <string>
#include <vector>

namespace salvo {

// What dividing space into cells does to an answer, estimated from solutions on three grids, each of twice as many
// cells as the one before (docs/decisions/error-of-the-grid.md).
struct GridError {
  struct OfObservable {
    std::string id{};
    double error = 0;     // the largest of its predictions, by size, ...
    double in_sigma = 0;  // ... and the largest in standard deviations of the measurement it belongs to
  };
  struct OfParameter {
    std::string id{};
    double shift = 0;        // by how much the grid moves the estimate, in user units: estimate - exact
    double in_errors = 0;    // the same in standard errors, without its sign
    bool has_order = false;  // the three grids show the order of the scheme: estimate - shift is worth telling
  };
  int cells = 0;      // of x, in the solution that is reported
  int unknowns = 0;   // of the equations: cells times fields, and states
  int bandwidth = 0;  // of their Jacobian matrix, diagonal included; 0: no band
  double peclet = 0;  // the largest |v| dx/D of any cell; 0 where nothing is carried along
  std::vector<OfObservable> observables{};
  std::vector<OfParameter> parameters{};
  double largest = 0;      // of `in_errors`; of a problem without standard errors, of `in_sigma`
  double order = 0;        // with which predictions approach those of the equations, as measured; 0: not known
  int expected_order = 2;  // of the scheme
  std::string trouble{};   // why nothing of it is known

  bool is_accepted = false;  // by whoever asked for the fit, however large it is

  bool spoils_answer() const { return largest > too_large && !is_accepted; }

  static constexpr double worth_telling = 0.1;  // standard errors
  static constexpr double too_large = 0.5;
};

}  // namespace salvo
