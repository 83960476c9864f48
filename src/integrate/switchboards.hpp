#pragma once

#include <array>
#include <optional>
#include <vector>

#include "integrate/switchboard.hpp"

namespace salvo::integrate {

// Parameters of W lanes; those that stand still within a step change between steps. A model without discontinuities
// goes by those of the launch.
template <int W>
class FrozenParameters {
 public:
  FrozenParameters(const compile::CompiledModel& model, const double* p) : p_(p) {
    if (!model.discontinuities) return;
    first_ = static_cast<std::size_t>(model.discontinuities->first) * W;
    own_.assign(p, p + static_cast<std::size_t>(model.parameters) * W);
    p_ = own_.data();
  }
  FrozenParameters(const FrozenParameters&) = delete;
  FrozenParameters& operator=(const FrozenParameters&) = delete;

  const double* packs() const { return p_; }
  void set_frozen(int l, std::span<const double> frozen) {
    for (std::size_t i = 0; i < frozen.size(); ++i) own_[first_ + i * W + l] = frozen[i];
  }

 private:
  const double* p_;
  std::size_t first_ = 0;
  std::vector<double> own_{};
};

// The switchboards of W trajectories under way, none where equations are smooth.
template <int W>
class Switchboards {
 public:
  Switchboards(const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record,
               FrozenParameters<W>& parameters)
      : model_(model), launch_(launch), record_(record), parameters_(parameters) {}

  bool any() const { return static_cast<bool>(model_.discontinuities); }
  // Are there zeros to be looked for?
  bool watches() const { return !reading_.empty(); }

  // Truth values where lanes begin; what acts there changes x. Lanes of padding do as the last one.
  void take_off(double* x) {
    for (int l = 0; l < W; ++l) {
      const int own = std::min(l, launch_.lanes - 1);
      std::vector<Jump>& jumps = l == own ? record_.jumps[l] : of_padding_;
      boards_[l].emplace(model_,
                         Switchboard::Start{.p = launch_.p + l,
                                            .stride = W,
                                            .time = launch_.begin[l],
                                            .stops = launch_.stops[l],
                                            .experiment = launch_.experiment[own],
                                            .is_start = launch_.is_start[own],
                                            .stop = launch_.stop,
                                            .frozen_budget = record_.frozen_budget},
                         lane(x, l), jumps);
      const std::vector<Jump>& done = jumps;
      record_.frozen[l] = done.empty() ? copy(boards_[l]->frozen()) : *done.front().frozen_before;
      take_over(l, x);
    }
    const auto watched = static_cast<std::size_t>(model_.discontinuities->watched.size());
    readings_.resize(2 * watched * W);
    reading_.resize(2 * watched);
  }

  Switchboard& operator[](int l) { return *boards_[l]; }
  const Switchboard& operator[](int l) const { return *boards_[l]; }

  // The watched functions where attempted steps end.
  void measure(const double* time, const double* x, const double* f, double* work) {
    if (reading_.empty()) return;
    model_.discontinuities->motion.template run<W>(
        {.time = time, .state = x, .parameter = parameters_.packs(), .seed = f}, work, readings_.data());
  }
  CrossingSearch::Reading reading(int l) {
    for (std::size_t i = 0; i < reading_.size(); ++i) reading_[i] = readings_[i * W + l];
    const std::span<const double> all(reading_);
    return {all.first(all.size() / 2), all.subspan(all.size() / 2)};
  }

  // What is due at time t in lane l acts on its state.
  void act(int l, double t, int slots, double* x) {
    boards_[l]->act(t, slots, lane(x, l));
    take_over(l, x);
  }

 private:
  static std::vector<double> copy(std::span<const double> numbers) { return {numbers.begin(), numbers.end()}; }
  std::vector<double> lane(const double* x, int l) const {
    std::vector<double> out(model_.states);
    for (int i = 0; i < model_.states; ++i) out[i] = x[i * W + l];
    return out;
  }
  void take_over(int l, double* x) {
    for (int i = 0; i < model_.states; ++i) x[i * W + l] = boards_[l]->x()[i];
    parameters_.set_frozen(l, boards_[l]->frozen());
  }

  const compile::CompiledModel& model_;
  const Launch<W>& launch_;
  Record<W>& record_;
  FrozenParameters<W>& parameters_;
  std::array<std::optional<Switchboard>, W> boards_{};
  std::vector<Jump> of_padding_{};
  std::vector<double> readings_{}, reading_{};
};

}  // namespace salvo::integrate
