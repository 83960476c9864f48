#include "shooting/rows.hpp"

#include <fmt/format.h>

#include <cmath>

namespace salvo::shooting {

Observed Observer::observe(int measurement, const double* x, const double* p, bool with_derivatives) {
  const model::Measurement& m = problem_.measurements[measurement];
  const compile::ObservableKernel& kernel = model_.observable_of(m);
  const compile::Kernel& tape = with_derivatives ? kernel.derivative : kernel.value;
  auto& [registers, out, p_there] = room_;
  if (registers.size() < static_cast<std::size_t>(tape.work_size())) registers.resize(tape.work_size());
  if (out.size() < static_cast<std::size_t>(tape.output_count())) out.resize(tape.output_count());
  const double time = m.seen_at();
  p = model_.parameters_at(m.experiment, time, p, p_there);
  tape.run<1>({.time = &time, .state = x, .parameter = p}, registers.data(), out.data());

  Observed observed{.g = out[0], .sigma = m.sigma.value_or(out[1])};
  observed.row = row_of(m, observed.g, observed.sigma);
  if (with_derivatives) {
    observed.by_state = {out.data() + 2, static_cast<std::size_t>(kernel.by_state.size())};
    observed.by_parameter = {out.data() + 2 + kernel.by_state.size(),
                             static_cast<std::size_t>(kernel.by_parameter.size())};
  }
  return observed;
}

model::NoiseRow Observer::row_of(const model::Measurement& m, double g, double sigma) const {
  const model::Law law = problem_.observables[m.observable].law();
  if (request_.rows == nlp::RowsFor::ratios) return model::ratio_row(law, m.datum(), g, sigma, small_[m.observable]);
  return model::noise_row(law, m.datum(), g, sigma, request_.smoothing, purpose_of(request_));
}

std::string noise_trouble(const model::Problem& problem, int measurement, const Observed& observed) {
  const model::Measurement& m = problem.measurements[measurement];
  const std::string& id = problem.observables[m.observable].id;
  if (!(observed.sigma > 0) || !std::isfinite(observed.sigma))
    return fmt::format("the noise of '{}' is not a positive number ({:.4g}) at t = {:.5g}", id, observed.sigma, m.time);
  if (!std::isfinite(observed.g))
    return fmt::format("the observable '{}' is not a finite number at t = {:.5g}", id, m.time);
  const bool counts = model::is_count(problem.observables[m.observable].distribution);
  return fmt::format("the observable '{}' is not positive ({:.4g}) at t = {:.5g}, but {}", id, observed.g, m.time,
                     counts ? "it is the mean of counts" : "its noise is on a logarithmic scale");
}

// Most observables read one state, and the others are skipped.
void chain_rule(const NodeMap& node, std::span<const Slope> p_by_theta, std::span<const double> by_state,
                std::span<const double> by_active, int to_row, Matrix& by_block, Matrix& by_theta) {
  node.each_by_block([&](int row, int column, double value) {
    if (by_state[row] != 0) by_block(to_row, column) += by_state[row] * value;
  });
  node.each_by_theta([&](int row, int column, double value) {
    if (by_state[row] != 0) by_theta(to_row, column) += by_state[row] * value;
  });
  if (by_active.empty()) return;
  for (const Slope& slope : p_by_theta)
    if (by_active[slope.row] != 0) by_theta(to_row, slope.column) += by_active[slope.row] * slope.value;
}

}  // namespace salvo::shooting
