#include "uncertainty/errors.hpp"

#include <algorithm>

#include "estimate/ways/setup.hpp"

namespace salvo::uncertainty {
namespace {

// Whether the rows that make steps are not those of the information.
bool has_other_information(const model::Problem& problem) {
  if (estimate::has_corner(problem)) return true;
  const auto& measurements = problem.measurements;
  return std::any_of(problem.observables.begin(), problem.observables.end(),
                     [](const auto& observable) { return !model::is_square(observable.distribution); }) ||
         std::any_of(measurements.begin(), measurements.end(),
                     [](const auto& m) { return m.censored != model::Censored::no; });
}

// Blocks whose rows carry the expected information: those that the solver made last, where they do, or new ones in
// `room`. Null if the point cannot be evaluated.
const nlp::Blocks* information_blocks(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved,
                                      nlp::Blocks& room) {
  const bool is_known = !solved.linearized.chains.empty();
  if (is_known && !has_other_information(shooting.problem()) && shooting.problem().constraints.empty())
    return &solved.linearized;
  nlp::Request request = solved.request;
  request.rows = nlp::RowsFor::information;
  return shooting.linearize(solved.q, request, room).ok ? &room : nullptr;
}

std::vector<statistics::RowRole> roles_of(const shooting::ShootingProblem& shooting, const nlp::Blocks& blocks) {
  std::vector<statistics::RowRole> roles;
  const model::Problem& problem = shooting.problem();
  const std::vector<shooting::RowMeaning> rows = shooting.rows_in_order();
  roles.reserve(rows.size() + blocks.priors.r.size());
  for (const shooting::RowMeaning& row : rows) {
    statistics::RowRole role{.measurement = row.measurement, .of_noise = row.of_noise};
    role.crosses = row.measurement >= 0 && problem.measurements[row.measurement].censored != model::Censored::no;
    if (row.of_noise)
      role.scale_information =
          model::scale_information(problem.observables[problem.measurements[row.measurement].observable].law());
    roles.push_back(role);
  }
  roles.resize(roles.size() + blocks.priors.r.size());
  return roles;
}

// How far each theta moves, per unit of the logarithm of its value.
std::vector<double> by_factors(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  std::vector<double> units;
  for (int k = 0; k < shooting.layout().thetas; ++k) {
    const model::Scale scale = shooting::estimated_theta(shooting.problem(), shooting.names(), k).scale;
    units.push_back(model::from_scale(scale, q[k]) / model::from_scale_slope(scale, q[k]));
  }
  return units;
}

}  // namespace

bool has_full_rank(const solve::Certificate& certificate, std::size_t quantities) {
  return !certificate.probes.empty() && certificate.rank == static_cast<int>(quantities);
}

Errors errors_of(const shooting::ShootingProblem& shooting, const solve::SolveResult& solved, const ErrorsFor& wanted) {
  Errors out;
  nlp::Blocks room;
  const nlp::Blocks* blocks = information_blocks(shooting, solved, room);
  if (blocks == nullptr) return out;
  out.known = true;
  const double unseen = wanted.full_rank ? statistics::unseen_by_rounding : statistics::usually_unseen;
  const Matrix* root = blocks != &room && wanted.root != nullptr && *wanted.root ? &**wanted.root : nullptr;
  out.uncertainty =
      statistics::uncertainty(shooting.layout(), *blocks, solved.q, shooting.sizes(solved.q), unseen, root);
  const std::vector<statistics::RowRole> roles = roles_of(shooting, *blocks);
  out.corrected = statistics::small_samples(shooting.layout(), *blocks, out.uncertainty, roles,
                                            static_cast<int>(shooting.problem().measurements.size()),
                                            by_factors(shooting, solved.q));
  if (wanted.sampling)
    out.sampling = statistics::sampling_covariance(shooting.layout(), *blocks, out.uncertainty, roles);
  return out;
}

}  // namespace salvo::uncertainty
