#include "start/curve_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "start/affine.hpp"

namespace salvo::start {
namespace {

bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace

CurveIntegrals::CurveIntegrals(const compile::CompiledModel& model, const ObservedStates& observed,
                               const MatchingPieces& pieces)
    : model_(model),
      experiment_(observed.experiment),
      is_affine_(has_affine_rhs(model)),
      pieces_(static_cast<int>(pieces.ends.size())) {
  const std::size_t most_points = 2 * pieces.stops.size() + lanes;
  points_.reserve(most_points);
  time_.reserve(most_points);
  int stop = 0;
  Point begin;
  for (int m = 0; m < pieces_; ++m)
    for (; stop < pieces.ends[m]; ++stop) {
      const double a = pieces.stops[stop];
      const double step = pieces.stops[stop + 1] - a;
      (begin.piece == m ? begin.weight : begin.weight_of_next) += step / 6;
      add_point(a, begin);
      add_point(a + 0.5 * step, {.piece = m, .weight = step * 2 / 3});
      begin = {.piece = m, .weight = step / 6};
    }
  if (pieces_ > 0) add_point(pieces.stops[stop], begin);
  lay_in_packs(observed);
  parameter_.resize(static_cast<std::size_t>(model.parameters) * lanes);
  work_.resize(static_cast<std::size_t>(model.largest_work()) * lanes);
  out_.resize(static_cast<std::size_t>(std::max(model.rhs.output_count(), model.jacobian.output_count())) * lanes);
}

void CurveIntegrals::add_point(double t, const Point& point) {
  points_.push_back(point);
  time_.push_back(t);
}

// A pack that is not full holds its last point in the lanes that are left.
void CurveIntegrals::lay_in_packs(const ObservedStates& observed) {
  while (time_.size() % lanes != 0) time_.push_back(time_.back());
  state_.resize(time_.size() * states());
  for (std::size_t i = 0; i < states(); ++i)
    for (std::size_t k = 0; k < time_.size(); ++k)
      state_[(k - k % lanes) * states() + i * lanes + k % lanes] = observed.states[i].at(time_[k]);
}

bool CurveIntegrals::evaluate(std::span<const double> p, bool derivatives) {
  if (!is_affine_) {
    integrate(p, derivatives);
  } else if (p_0_.empty()) {
    integrate(p, true);
    p_0_.assign(p.begin(), p.end());
    at_first_ = sums_;
  } else {
    move_to(p);
  }
  return all_finite(sums_) && all_finite(slopes_);
}

void CurveIntegrals::integrate(std::span<const double> p, bool derivatives) {
  for (std::size_t k = 0; k < p.size(); ++k) std::fill_n(parameter_.data() + k * lanes, lanes, p[k]);
  sums_.assign(pieces_ * states(), 0.0);
  slopes_.assign(derivatives ? pieces_ * nonzeros() : 0, 0.0);
  for (std::size_t first = 0; first < points_.size(); first += lanes) {
    const compile::Arguments at{
        .time = time_.data() + first, .state = state_.data() + first * states(), .parameter = parameter_.data()};
    model_.set_frozen<lanes>(experiment_, at, work_.data(), parameter_.data());
    model_.rhs.run<lanes>(at, work_.data(), out_.data());
    add_pack(out_.data(), first, states(), sums_);
    if (!derivatives) continue;
    model_.jacobian.run<lanes>(at, work_.data(), out_.data());
    add_pack(out_.data() + static_cast<std::size_t>(model_.f_x.size()) * lanes, first, nonzeros(), slopes_);
  }
}

// Adds so many numbers at each point of a pack to the sums of the pieces.
void CurveIntegrals::add_pack(const double* numbers, std::size_t first, std::size_t count,
                              std::vector<double>& sums) const {
  const std::size_t in_use = std::min<std::size_t>(lanes, points_.size() - first);
  for (std::size_t lane = 0; lane < in_use; ++lane) {
    const Point& point = points_[first + lane];
    double* sum = sums.data() + point.piece * count;
    for (std::size_t i = 0; i < count; ++i) sum[i] += point.weight * numbers[i * lanes + lane];
    if (point.weight_of_next == 0) continue;
    for (std::size_t i = 0; i < count; ++i) sum[count + i] += point.weight_of_next * numbers[i * lanes + lane];
  }
}

void CurveIntegrals::move_to(std::span<const double> p) {
  sums_ = at_first_;
  for (std::size_t z = 0; z < nonzeros(); ++z) {
    const double change = p[model_.f_p.column[z]] - p_0_[model_.f_p.column[z]];
    if (change == 0) continue;
    for (int m = 0; m < pieces_; ++m) sums_[m * states() + model_.f_p.row[z]] += slopes_[m * nonzeros() + z] * change;
  }
}

}  // namespace salvo::start
