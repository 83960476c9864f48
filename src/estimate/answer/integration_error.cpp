#include "estimate/answer/integration_error.hpp"

#include <cmath>

#include "integrate/integrator.hpp"
#include "shooting/nodes.hpp"

namespace salvo::estimate {
bool may_feel_integration(const Workspace& workspace, const Answer& answer, const shooting::ShootingProblem& shooting) {
  const double accuracy = integrate::relative_tolerance(workspace.shooting_options().integrator);
  double squares = 0;
  const auto add = [&](const auto& predicted) {
    for (const auto& each : predicted)
      if (each.sigma > 0) squares += each.simulation / each.sigma * (each.simulation / each.sigma);
  };
  if (answer.predictions.ok) {
    add(answer.predictions.fitted);
  } else {
    std::vector<shooting::ShootingProblem::Predicted> predicted;
    if (!shooting.predict(answer.run.q, answer.run.request, predicted).ok) return false;
    add(predicted);
  }
  const AnswerRules& rules = workspace.rules().answer;
  return std::sqrt(squares) * accuracy * rules.integration_growth > rules.integration_shift;
}

std::optional<double> integration_error(const Workspace& workspace, const Answer& answer,
                                        const shooting::ShootingProblem& shooting) {
  const auto unbroken = workspace.unbroken();
  const nlp::Point q = shooting::carried_over(shooting, answer.run.q, *unbroken);
  const double coarser = workspace.rules().solve.certificate.coarser;
  nlp::Request coarse = answer.run.request;
  coarse.accuracy = coarser * integrate::relative_tolerance(workspace.shooting_options().integrator);
  std::vector<shooting::ShootingProblem::Predicted> fine, rough;
  if (!unbroken->predict(q, answer.run.request, fine).ok || !unbroken->predict(q, coarse, rough).ok)
    return std::nullopt;
  double squares = 0;
  for (std::size_t k = 0; k < fine.size(); ++k) {
    const double change = (rough[k].simulation - fine[k].simulation) / fine[k].sigma;
    if (std::isfinite(change)) squares += change * change;
  }
  return std::sqrt(squares) / coarser;
}

std::optional<model::Integrator> next_finer(const model::Integrator& choice) {
  constexpr double usual = 1e-8;
  constexpr double finer[] = {1e-11, 1e-13};
  return std::visit(
      [&](auto method) -> std::optional<model::Integrator> {
        if constexpr (requires { method.rtol; }) {
          const bool is_ours = method.rtol == usual || method.rtol == finer[0] || method.rtol == finer[1];
          for (const double next : finer) {
            if (!is_ours || method.atol || next >= method.rtol) continue;
            method.rtol = next;
            return method;
          }
        }
        return std::nullopt;
      },
      choice);
}

}  // namespace salvo::estimate
