#include "integrate/cvodes_legs.hpp"

#include <algorithm>

namespace salvo::integrate {
namespace {

const StepByTime no_step = [](double, double, double*) {};

}  // namespace

std::vector<double> CvodesLegs::with_frozen(std::span<const double> frozen) const {
  std::vector<double> p = start_.p;
  std::copy(frozen.begin(), frozen.end(), p.begin() + model_.discontinuities->first);
  return p;
}

CvodesLane::Flown CvodesLegs::fly(const Switchboard::Start& from, std::vector<double>& frozen,
                                  std::vector<Jump>& jumps) {
  Switchboard board(model_, from, start_.x0, jumps);
  frozen.assign(board.frozen().begin(), board.frozen().end());
  if (!jumps.empty()) frozen = *jumps.front().frozen_before;
  CvodesLane::Flown out;
  CvodesLane::Start leg = start_;
  int legs = 0;
  const auto note_stops_here = [&] {
    if (leg.stops.empty() || leg.stops.front() > leg.begin) return;
    out.steps_at_stop.push_back(legs);
    out.x_stop.insert(out.x_stop.end(), board.x().begin(), board.x().end());
    leg.stops.erase(leg.stops.begin());
  };
  out.ending = board.trouble();
  if (out.ending.ok()) note_stops_here();
  while (out.ending.ok() && !leg.stops.empty()) {
    leg.x0 = board.x();
    leg.p = with_frozen(board.frozen());
    const CvodesLane::Flown flown = CvodesLane(choice_, model_, leg).fly_until_due(board);
    out.x_stop.insert(out.x_stop.end(), flown.x_stop.begin(), flown.x_stop.end());
    out.steps_at_stop.insert(out.steps_at_stop.end(), flown.steps_at_stop.begin(), flown.steps_at_stop.end());
    leg.stops.erase(leg.stops.begin(), leg.stops.begin() + static_cast<long>(flown.steps_at_stop.size()));
    out.rhs += flown.rhs;
    out.ending = flown.ending.ok() ? board.trouble() : flown.ending;
    if (!out.ending.ok() || !flown.is_due) break;
    leg.begin = flown.time;
    board.act(flown.time, ++legs, flown.x);
    out.ending = board.trouble();
    if (out.ending.ok()) note_stops_here();
  }
  return out;
}

std::vector<CvodesLegs::Leg> CvodesLegs::legs(std::span<const double> frozen, const std::vector<Jump>& jumps) const {
  std::vector<Leg> out;
  const int count = jumps.empty() ? 1 : jumps.back().slot + 1;
  std::size_t stop = 0;
  for (int n = 0; n < count; ++n) {
    const Jump* before = last_jump_before(jumps, n);
    const auto ahead =
        std::upper_bound(jumps.begin(), jumps.end(), n, [](int slot, const Jump& jump) { return slot < jump.slot; });
    const Jump* after = ahead != jumps.end() && ahead->slot == n + 1 ? &*ahead : nullptr;
    Leg leg{.start = start_};
    leg.start.p = with_frozen(before != nullptr ? std::span<const double>(*before->frozen) : frozen);
    if (before != nullptr) leg.start.begin = before->time, leg.start.x0 = before->after;
    leg.start.stops.clear();
    for (; stop < start_.stops.size() && start_.stops[stop] <= leg.start.begin; ++stop) ++leg.at_begin;
    for (; stop < start_.stops.size() && (after == nullptr || start_.stops[stop] < after->time);
         ++stop, ++leg.on_the_way)
      leg.start.stops.push_back(start_.stops[stop]);
    if (after != nullptr) leg.start.stops.push_back(after->time);
    out.push_back(std::move(leg));
  }
  return out;
}

void CvodesLegs::tangents(std::span<const double> frozen, const std::vector<Jump>& jumps,
                          const std::vector<std::vector<double>>& directions, const AtStop& at_stop) {
  const auto d = static_cast<std::size_t>(model_.states);
  std::vector<std::vector<double>> moved = directions;
  std::vector<LaneJumps::AlongParameter> along;
  for (int c = 0; c < static_cast<int>(directions.size()); ++c)
    for (int k = 0; k < model_.active; ++k) along.push_back({c, k, directions[c][d + k]});
  LaneJumps through(model_, jumps, start_.p.data(), 1);
  through.begin_forward(frozen, static_cast<int>(directions.size()), std::move(along));
  std::vector<double> T(d * directions.size());
  int stop = 0;
  int n = 0;
  for (const Leg& leg : legs(frozen, jumps)) {
    if (through.concerns_forward(n)) through.forward(n, no_step, [&](int c) { return Strided{moved[c].data(), 1}; });
    ++n;
    for (std::size_t c = 0; c < moved.size(); ++c)
      std::copy_n(moved[c].begin(), d, T.begin() + static_cast<long>(c * d));
    for (int k = 0; k < leg.at_begin; ++k) at_stop(stop++, T.data());
    if (leg.start.stops.empty()) continue;
    CvodesLane(choice_, model_, leg.start).tangents(moved, [&](int k, const double* there) {
      if (k < leg.on_the_way) at_stop(stop++, there);
      std::copy_n(there, T.size(), T.begin());
    });
    for (std::size_t c = 0; c < moved.size(); ++c)
      std::copy_n(T.begin() + static_cast<long>(c * d), d, moved[c].begin());
  }
}

std::vector<double> CvodesLegs::adjoints(std::span<const double> frozen, const std::vector<Jump>& jumps,
                                         const std::vector<std::vector<double>>& injected, int scalars) {
  const auto d = static_cast<std::size_t>(model_.states);
  const auto a = static_cast<std::size_t>(model_.active);
  std::vector<double> lambda(d * scalars, 0.0), by_p(a * scalars, 0.0);
  LaneJumps through(model_, jumps, start_.p.data(), 1);
  through.begin_backward(frozen, scalars);
  const std::vector<Leg> all = legs(frozen, jumps);
  auto stop = static_cast<int>(start_.stops.size());
  for (int n = static_cast<int>(all.size()) - 1; n >= 0; --n) {
    const Leg& leg = all[n];
    if (!leg.start.stops.empty()) {
      std::vector<std::vector<double>> at_stops(leg.start.stops.size(), std::vector<double>(lambda.size(), 0.0));
      stop -= leg.on_the_way;
      for (int k = 0; k < leg.on_the_way; ++k) at_stops[k] = injected[stop + k];
      for (std::size_t i = 0; i < lambda.size(); ++i) at_stops.back()[i] += lambda[i];
      const std::vector<double> found = CvodesLane(choice_, model_, leg.start).adjoints(at_stops, scalars);
      for (int c = 0; c < scalars; ++c) {
        const double* of_scalar = found.data() + static_cast<std::size_t>(c) * (d + a);
        std::copy_n(of_scalar, d, lambda.begin() + static_cast<long>(c * d));
        for (std::size_t k = 0; k < a; ++k) by_p[c * a + k] += of_scalar[d + k];
      }
    }
    for (int k = 0; k < leg.at_begin; ++k, --stop)
      for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] += injected[stop - 1][i];
    if (through.concerns_backward(n))
      through.backward(n, no_step, [&](int c) {
        return SweptScalar{{lambda.data() + c * d, 1}, {by_p.data() + c * a, 1}};
      });
  }
  std::vector<double> out;
  for (int c = 0; c < scalars; ++c) {
    out.insert(out.end(), lambda.begin() + static_cast<long>(c * d), lambda.begin() + static_cast<long>((c + 1) * d));
    out.insert(out.end(), by_p.begin() + static_cast<long>(c * a), by_p.begin() + static_cast<long>((c + 1) * a));
  }
  return out;
}

}  // namespace salvo::integrate
