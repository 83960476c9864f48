#include "fit/prediction_jacobian.hpp"

namespace salvo::fit {
namespace {

// The same problem with normal noise of one everywhere, whose rows are g_i - value_i.
model::Problem with_unit_noise(const model::Problem& given) {
  model::Problem problem = given;
  const expression::NodeId one = problem.graph.constant(1);
  for (model::Observable& observable : problem.observables) {
    observable.distribution = model::Distribution::normal;
    observable.noise = one;
    observable.noise_unit = 1;
  }
  for (model::Reading& reading : problem.cells.readings) reading.noise = one;
  for (model::Measurement& measurement : problem.measurements) {
    measurement.sigma.reset();
    measurement.censored = model::Censored::no;
  }
  problem.validation.clear();
  return problem;
}

}  // namespace

nlp::Evaluation prediction_jacobian(const Unbroken& unbroken, const nlp::Point& q, Matrix& out) {
  const model::Problem problem = with_unit_noise(unbroken.shooting().problem());
  shooting::ShootingOptions options = unbroken.shooting().options();
  options.engine.buffers = nullptr;
  auto compiled = compile::compile(problem, unbroken.shooting().stop());
  if (!compiled) return {.ok = false, .trouble = "the run was told to stop"};
  const Unbroken plain(problem, std::move(compiled), options);
  Unbroken::Room room{.q = q};
  const nlp::Evaluation done = plain.linearize(room);
  if (!done.ok) return done;
  room.blocks.priors = {};
  Matrix by_row;
  plain.write_jacobian(room.blocks, by_row);
  const std::vector<shooting::RowMeaning> rows = plain.shooting().rows_in_order();
  out.resize(static_cast<int>(problem.measurements.size()), by_row.cols);
  for (int n = 0; n < by_row.rows; ++n)
    if (const int measurement = rows[n].measurement; measurement >= 0)
      for (int k = 0; k < by_row.cols; ++k) out(measurement, k) = by_row(n, k);
  return done;
}

}  // namespace salvo::fit
