#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "base/run_context.hpp"
#include "nlp/problem.hpp"
#include "solve/certificate/certificate.hpp"

namespace salvo::solve {

// Whether a point may be an answer as far as another grid can tell; empty: it may.
using IsAllowed = std::function<bool(const nlp::Point&)>;

// What active constraints and bounds leave of a problem without gaps, around a point q*: all y with
//   q(y) = q* + D (Z y + A't),   A Z = 0,
// D the units of the unknowns, A the gradients D dc/dq of what is active at q*, and t such that it stays as it is
// there. Equalities are active, and inequalities and bounds that are met and that the objective pushes against: whose
// multiplier is positive. The other ones must hold, or the point cannot be evaluated.
class RestrictedProblem final : public nlp::Problem {
 public:
  // `at` is linearised at q; what is met has c >= -met, relative to the size of c.
  RestrictedProblem(const nlp::Problem& problem, const nlp::Point& q, const nlp::Blocks& at, double met,
                    IsAllowed is_allowed);

  int taken() const { return static_cast<int>(across_.cols()); }  // directions that all that is active takes away
  nlp::Point point(const nlp::Point& y, const nlp::Request& request) const;  // q(y); empty if there is none
  std::vector<double> direction(const std::vector<double>& along) const;     // Z along

  const nlp::Layout& layout() const override { return layout_; }
  std::vector<double> sizes(const nlp::Point& y) const override { return std::vector<double>(y.size(), 1.0); }
  nlp::Evaluation values(const nlp::Point& y, const nlp::Request& request, nlp::Blocks& out) const override;
  nlp::Evaluation linearize(const nlp::Point& y, const nlp::Request& request, nlp::Blocks& out) const override;
  nlp::Evaluation adjoint(const nlp::Point& y, const nlp::Request& request, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override;
  nlp::Evaluation linearize_nodes(const nlp::Point& y, const nlp::Request& request, nlp::Blocks& out,
                                  std::unique_ptr<nlp::Products>& by_theta) const override;

 private:
  struct Row {
    int constraint = -1;  // row of all constraints, or ...
    int unknown = -1;     // ... the unknown that stands at a bound
    double side = 1;      // of it: 1 above, -1 below
    bool is_equality = false;
  };
  struct Constrained {
    std::vector<double> c{};
    std::vector<bool> equality{};
    Eigen::MatrixXd gradients{};  // by unknowns in their units, each row divided by its size at q*
  };
  Constrained constraints_of(const nlp::Blocks& blocks) const;
  std::vector<Row> met_at(const Constrained& at, double met) const;
  Eigen::MatrixXd gradients_of(const std::vector<Row>& rows, const Constrained& at) const;
  // Takes away what the objective leads back inside from, one after the other.
  void leave_what_lets_go(std::vector<Row>& rows, const Constrained& at, const Eigen::VectorXd& gradient) const;
  bool holds(const nlp::Point& q, const Constrained& at) const;
  // Evaluates q(y), which is put into q; with dq/dy in units.
  nlp::Evaluation reach(const nlp::Point& y, const nlp::Request& request, nlp::Point& q, nlp::Blocks& blocks,
                        Eigen::MatrixXd& by_y) const;

  const nlp::Problem& problem_;
  const nlp::Point q_;
  double met_;
  IsAllowed is_allowed_;
  std::vector<double> units_{};
  std::vector<double> constraint_sizes_{};
  std::vector<double> c_{};   // at q*
  std::vector<Row> held_{};   // all that is active, bounds too
  Eigen::MatrixXd along_{};   // Z
  Eigen::MatrixXd across_{};  // an orthonormal basis of the range of A'
  nlp::Layout layout_{};
};

// The certificate of a problem with constraints: that of the restricted problem, in the words of the whole one.
Certificate certify_restricted(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                               double accuracy, const Rules& rules, const IsAllowed& is_allowed,
                               const RunContext& context, nlp::Point& lower);

}  // namespace salvo::solve
