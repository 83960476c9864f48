#include "fit/objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/pool.hpp"
#include "base/words.hpp"
#include "fit/unbroken.hpp"
#include "model/algebraic.hpp"
#include "shooting/cost.hpp"
#include "solve/rules.hpp"

namespace salvo::fit {
namespace {

// Whether machine code is made must not depend on who has called how often: it is decided before the first call.
shooting::Code code_for(const compile::CompiledModel& model, std::size_t experiments, double expected_calls) {
  const shooting::Rules rules;
  const compile::Wanted wanted{.lanes = experiments > 1 ? shooting::widest_pack : 1};
  const int expected_reuse = static_cast<int>(std::min(expected_calls / rules.usual_passes, 1e9));
  return shooting::is_machine_code_worthwhile({model, wanted, {}, experiments, expected_reuse}, rules)
             ? shooting::Code::native
             : shooting::Code::interpreted;
}

model::Problem without_constraints(const model::Problem& given) {
  model::Problem problem = given;
  problem.constraints.clear();
  return problem;
}

shooting::ShootingOptions options_for(const model::Problem& problem, const compile::CompiledModel& model,
                                      const ObjectiveOptions& options) {
  return {.integrator = model::integrator_for(problem, options.integrator),
          .engine = {.code = code_for(model, problem.experiments.size(), options.expected_calls),
                     .memory = options.memory,
                     .stop = options.stop}};
}

bool is_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

nlp::Evaluation not_finite(const char* what) {
  return {.ok = false, .trouble = fmt::format("{} not finite numbers", what)};
}

}  // namespace

struct Objective::Parts {
  Parts(const model::Problem& given, const ObjectiveOptions& options)
      : Parts(std::make_unique<const model::Problem>(without_constraints(given)), options) {}
  Parts(std::unique_ptr<const model::Problem> own, const ObjectiveOptions& options)
      : problem(std::move(own)),
        model(compile::compile(*problem)),
        unbroken(*problem, model, options_for(*problem, *model, options)) {
    const nlp::Layout& layout = unbroken.shooting().layout();
    for (const estimate::Quantity& quantity : unbroken.quantities())
      quantities.push_back({.id = quantity.id,
                            .scale = quantity.estimated->scale,
                            .lower = layout.lower[quantity.unknown],
                            .upper = layout.upper[quantity.unknown],
                            .guess = unbroken.guess()[quantity.unknown]});
    row_count = static_cast<int>(unbroken.shooting().rows_in_order().size());
    for (int k = 0; k < layout.thetas; ++k)
      row_count += shooting::estimated_theta(*problem, unbroken.shooting().names(), k).prior ? 1 : 0;
  }

  // Calls use(room) with a room that stands at x; its evaluation, in words.
  template <class Use>
  Status at(std::span<const double> x, const nlp::Request& request, const Use& use) const;

  std::unique_ptr<const model::Problem> problem;
  std::shared_ptr<const compile::CompiledModel> model;
  Unbroken unbroken;
  std::vector<Quantity> quantities{};
  int row_count = 0;
  mutable Pool<Unbroken::Room> rooms{};  // guards itself
};

template <class Use>
Objective::Status Objective::Parts::at(std::span<const double> x, const nlp::Request& request, const Use& use) const {
  if (x.size() != quantities.size())
    return {false, fmt::format("{} given, but there are {}", counted(std::ssize(x), "value is", "values are"),
                               quantities.size())};
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i])) return {false, fmt::format("the value of {} is not a finite number", quantities[i].id)};
  const auto room = rooms.borrow();
  (*room).request = request;
  (*room).q = unbroken.guess();
  for (std::size_t i = 0; i < x.size(); ++i) (*room).q[unbroken.quantities()[i].unknown] = x[i];
  nlp::Evaluation done = use(*room);
  return {done.ok, std::move(done.trouble)};
}

Result<Objective> Objective::make(const model::Problem& problem, const ObjectiveOptions& options) {
  if (std::string refusal = estimate::why_not(problem, {}); !refusal.empty())
    return Issue{.message = std::move(refusal)};
  return Objective(std::make_shared<const Parts>(problem, options));
}

const std::vector<Objective::Quantity>& Objective::quantities() const { return parts_->quantities; }

std::vector<double> Objective::guess() const {
  std::vector<double> out;
  for (const Quantity& quantity : parts_->quantities) out.push_back(quantity.guess);
  return out;
}

int Objective::rows() const { return parts_->row_count; }

Objective::Status Objective::value(std::span<const double> x, double& out) const {
  return parts_->at(x, {}, [&](Unbroken::Room& room) {
    nlp::Evaluation done = parts_->unbroken.value(room);
    if (done.ok) out = room.blocks.objective;
    return done;
  });
}

Objective::Status Objective::gradient(std::span<const double> x, double& value, std::span<double> out) const {
  if (out.size() != x.size()) return {false, "the gradient has another length than the values"};
  return parts_->at(x, {}, [&](Unbroken::Room& room) {
    nlp::Evaluation done = parts_->unbroken.gradient(room);
    if (!done.ok) return done;
    value = room.gradients.objective;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = room.gradients.objective_by_q[parts_->unbroken.quantities()[i].unknown];
    return done;
  });
}

Objective::Status Objective::rows(std::span<const double> x, std::vector<double>& out) const {
  return parts_->at(x, {}, [&](Unbroken::Room& room) {
    nlp::Evaluation done = parts_->unbroken.value(room);
    if (done.ok) parts_->unbroken.write_rows(room.blocks, out);
    return done;
  });
}

Objective::Status Objective::jacobian(std::span<const double> x, std::vector<double>& rows, Matrix& out) const {
  return parts_->at(x, {}, [&](Unbroken::Room& room) {
    nlp::Evaluation done = parts_->unbroken.linearize(room);
    if (!done.ok) return done;
    if (!is_finite(room.blocks.priors.by_theta.data)) return not_finite("derivatives of priors are");
    parts_->unbroken.write_rows(room.blocks, rows);
    parts_->unbroken.write_jacobian(room.blocks, out);
    return done;
  });
}

Objective::Status Objective::fisher(std::span<const double> x, Matrix& out) const {
  return parts_->at(x, {.rows = nlp::RowsFor::information}, [&](Unbroken::Room& room) {
    nlp::Evaluation done = parts_->unbroken.linearize(room);
    if (!done.ok) return done;
    Matrix J;
    parts_->unbroken.write_jacobian(room.blocks, J);
    Matrix information(J.cols, J.cols);
    for (int i = 0; i < J.cols; ++i)
      for (int k = 0; k <= i; ++k) {
        double sum = 0;
        for (int n = 0; n < J.rows; ++n) sum += J(n, i) * J(n, k);
        information(i, k) = information(k, i) = sum;
      }
    if (!is_finite(information.data)) return not_finite("entries of the information are");
    out = std::move(information);
    return done;
  });
}

Objective::Status Objective::hessian(std::span<const double> x, Matrix& out) const {
  const solve::HessianRules rules;
  Matrix information;
  if (Status done = fisher(x, information); !done) return done;
  const int count = static_cast<int>(x.size());
  std::vector<double> at(x.begin(), x.end()), above(x.size()), below(x.size());
  Matrix second(count, count);
  for (int i = 0; i < count; ++i) {
    // As long as errors of the integration allow, and no further than the rows hardly change.
    const double slope = std::sqrt(information(i, i));
    const double far = std::min(rules.difference * std::max(1.0, std::abs(x[i])),
                                slope > 0 ? rules.difference_of_rows / slope : std::numeric_limits<double>::infinity());
    double value = 0;
    at[i] = x[i] + far;
    if (Status done = gradient(at, value, above); !done) return done;
    const double upper = at[i];
    at[i] = x[i] - far;
    if (Status done = gradient(at, value, below); !done) return done;
    for (int k = 0; k < count; ++k) second(i, k) = (above[k] - below[k]) / (upper - at[i]);
    at[i] = x[i];
  }
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < i; ++k) second(i, k) = second(k, i) = (second(i, k) + second(k, i)) / 2;
  out = std::move(second);
  return {};
}

Objective::Status Objective::simulate(std::span<const double> x, std::vector<Simulation>& out) const {
  return parts_->at(x, {}, [&](Unbroken::Room& room) {
    nlp::Evaluation done = parts_->unbroken.predict(room);
    if (!done.ok) return done;
    out.clear();
    for (const auto& [simulation, sigma] : room.predicted) out.push_back({simulation, sigma});
    return done;
  });
}

}  // namespace salvo::fit
