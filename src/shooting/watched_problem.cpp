#include "shooting/watched_problem.hpp"

namespace salvo::shooting {

nlp::Evaluation WatchedProblem::values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const {
  return seen(q, request, problem_.values(q, request, out, last_.predicted));
}

nlp::Evaluation WatchedProblem::linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const {
  return seen(q, request, problem_.linearize(q, request, out, last_.predicted));
}

nlp::Evaluation WatchedProblem::seen(const nlp::Point& q, const nlp::Request& request,
                                     nlp::Evaluation evaluation) const {
  last_.problem = evaluation.ok ? &problem_ : nullptr;
  last_.q = q;
  last_.request = request;
  return evaluation;
}

nlp::Evaluation predict(const ShootingProblem& problem, const nlp::Point& q, const nlp::Request& request,
                        LastValues& last, std::vector<ShootingProblem::Predicted>& out) {
  if (last.problem != &problem || last.q != q || !(last.request == request)) return problem.predict(q, request, out);
  last.problem = nullptr;
  out = std::move(last.predicted);
  return {};
}

}  // namespace salvo::shooting
