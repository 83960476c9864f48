#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/noise.hpp"
#include "nlp/problem.hpp"
#include "shooting/experiment_values.hpp"
#include "shooting/plan.hpp"

namespace salvo::shooting {

// An observable at one state: its noise row and, if wanted, the derivatives of g and sigma.
struct Observed {
  double g = 0;
  double sigma = 0;
  model::NoiseRow row{};
  std::span<const double> by_state{};  // non-zeros, as in the kernel's pattern
  std::span<const double> by_parameter{};
};

// Evaluates observables, in buffers of its own or of the caller.
class Observer {
 public:
  struct Room {
    std::vector<double> registers{}, out{}, p{};
  };
  Observer(const model::Problem& problem, const compile::CompiledModel& model, const nlp::Request& request)
      : Observer(problem, model, request, {}, own_) {}
  // `small` of every observable, for rows that are ratios.
  Observer(const model::Problem& problem, const compile::CompiledModel& model, const nlp::Request& request,
           std::span<const double> small, Room& room)
      : problem_(problem), model_(model), request_(request), small_(small), room_(room) {}
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  Observed observe(int measurement, const double* x, const double* p, bool with_derivatives);

 private:
  model::NoiseRow row_of(const model::Measurement& measurement, double g, double sigma) const;

  const model::Problem& problem_;
  const compile::CompiledModel& model_;
  nlp::Request request_;
  std::span<const double> small_;
  Room own_{};
  Room& room_;
};

// Whether rows are made for steps or for the information; ratios are neither.
inline model::RowsFor purpose_of(const nlp::Request& request) {
  return request.rows == nlp::RowsFor::information ? model::RowsFor::information : model::RowsFor::step;
}

// "the noise of 'prey' is not a positive number (-0.1) at t = 3"
std::string noise_trouble(const model::Problem& problem, int measurement, const Observed& observed);

// From derivatives by (s_j, p) to derivatives by (v_j, theta), the unknowns (docs/mathematics.md, eq. 12): row `to_row`
// of the two matrices. Where `by_active` is empty, nothing depends on p.
void chain_rule(const NodeMap& node, std::span<const Slope> p_by_theta, std::span<const double> by_state,
                std::span<const double> by_active, int to_row, Matrix& by_block, Matrix& by_theta);

}  // namespace salvo::shooting
