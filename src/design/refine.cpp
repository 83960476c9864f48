#include "design/refine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace salvo::design {
namespace {

using Eigen::MatrixXd;

constexpr int most_moves = 40;
constexpr int sweeps = 8;
constexpr double finest = 1e-6;       // of the first step
constexpr double shrink = 0.25;       // of steps, where the interpolation did not hold or led nowhere
constexpr double worthwhile = 1e-12;  // of the loss, relative: rounding

using RowsAtPoints = std::vector<std::vector<MatrixXd>>;  // by point, by sample

// A number that may move, with the samples whose rows it moves.
struct Knob {
  int sample = -1;   // its time; or ...
  int setting = -1;  // ... a level of this setting ...
  int factor = -1;
  double low = 0, high = 0;
  double value = 0, step = 0;
  std::array<double, 3> at{};  // where rows are known; the first is `value`
};

// Three different numbers around the value, within its ends.
std::array<double, 3> stencil(const Knob& knob) {
  double left = std::max(knob.value - knob.step, knob.low);
  double right = std::min(knob.value + knob.step, knob.high);
  if (left == knob.value) left = 0.5 * (knob.value + right);
  if (right == knob.value) right = 0.5 * (knob.value + left);
  return {knob.value, left, right};
}

// Factors of a parabola through the three.
std::array<double, 3> parabola(const std::array<double, 3>& at, double x) {
  std::array<double, 3> out{};
  for (int i = 0; i < 3; ++i) {
    out[i] = 1;
    for (int j = 0; j < 3; ++j)
      if (j != i) out[i] *= (x - at[j]) / (at[i] - at[j]);
  }
  return out;
}

class Descent {
 public:
  Descent(const Problem& problem, const model::Design& design, int old, const Movable& start, const RowsOf& rows)
      : problem_(problem),
        design_(design),
        old_(old),
        rows_of_(rows),
        samples_(start.samples),
        settings_(start.settings) {
    for (std::size_t k = 0; k < samples_.size(); ++k)
      add({.sample = static_cast<int>(k),
           .low = start.times[k].first,
           .high = start.times[k].second,
           .value = samples_[k].time,
           .step = start.step[k]});
    for (std::size_t e = 0; e < settings_.size(); ++e)
      for (std::size_t f = 0; f < design_.factors.size(); ++f)
        if (const auto& range = design_.factors[f].range)
          add({.setting = static_cast<int>(e),
               .factor = static_cast<int>(f),
               .low = range->first,
               .high = range->second,
               .value = settings_[e][f],
               .step = 0.5 * (range->second - range->first) / static_cast<double>(design_.factors[f].levels.size())});
  }

  Moved run(const std::function<bool()>& should_stop) {
    if (!learn()) return finish();
    loss_ = model_loss();
    double size = 1;
    for (int round = 0; round < most_moves && size > finest && !knobs_.empty() && !should_stop(); ++round) {
      const std::vector<Knob> before = knobs_;
      const double farthest = propose();
      put();
      const bool is_known = farthest > 0 && learn();
      const double reached = is_known ? model_loss() : loss_;
      if (is_known && reached < loss_ - worthwhile * std::abs(loss_)) {
        loss_ = reached;
        if (farthest > 0.5) continue;
      } else {
        knobs_ = before;
        put();
      }
      size *= shrink;
      for (Knob& knob : knobs_) knob.step *= shrink;
      if (!learn()) break;
    }
    return finish();
  }

 private:
  void add(const Knob& knob) {
    if (knob.high > knob.low && knob.step > 0) knobs_.push_back(knob);
  }

  // The values of the knobs, as samples and settings.
  void put() {
    for (const Knob& knob : knobs_)
      if (knob.sample >= 0)
        samples_[knob.sample].time = knob.value;
      else
        settings_[knob.setting][knob.factor] = knob.value;
  }

  // The rows at the three places of every knob. Samples of different experiments do not know of each other, so one
  // linearisation serves all times, and one for each side serves a factor in all experiments.
  bool learn() {
    for (Knob& knob : knobs_) knob.at = stencil(knob);
    std::vector<Sample> asked = samples_;
    for (const Knob& knob : knobs_)
      if (knob.sample >= 0)
        for (int side : {1, 2}) {
          asked.push_back(samples_[knob.sample]);
          asked.back().time = knob.at[side];
        }
    auto found = rows_of_(settings_, asked);
    ++linearizations_;
    if (!found) return false;
    rows_.clear();
    std::size_t next = samples_.size();
    for (auto& point : *found) rows_.push_back({point.begin(), point.begin() + static_cast<long>(samples_.size())});
    for (const Knob& knob : knobs_) {
      if (knob.sample < 0) continue;
      for (int side : {1, 2}) {
        RowsAtPoints one;
        for (auto& point : *found) one.push_back({point[next]});
        ++next;
        aside_[{knob.sample, -1}][side - 1] = std::move(one);
      }
    }
    for (std::size_t f = 0; f < design_.factors.size(); ++f)
      for (int side : {1, 2}) {
        std::vector<Setting> shifted = settings_;
        bool any = false;
        for (const Knob& knob : knobs_)
          if (knob.factor == static_cast<int>(f)) shifted[knob.setting][f] = knob.at[side], any = true;
        if (!any) continue;
        auto all = rows_of_(shifted, samples_);
        ++linearizations_;
        if (!all) return false;
        aside_[{-1, static_cast<int>(f)}][side - 1] = std::move(*all);
      }
    return true;
  }

  bool moves(const Knob& knob, std::size_t sample) const {
    return knob.sample >= 0 ? knob.sample == static_cast<int>(sample)
                            : samples_[sample].experiment == old_ + knob.setting;
  }

  // The rows of a sample with all its knobs where they are, each by its own parabola.
  MatrixXd row_of(std::size_t point, std::size_t sample) const {
    const MatrixXd& centre = rows_[point][sample];
    MatrixXd row = centre;
    for (const Knob& knob : knobs_) {
      if (knob.value == knob.at[0] || !moves(knob, sample)) continue;
      const auto factor = parabola(knob.at, knob.value);
      const auto& sides = aside_.at({knob.sample, knob.factor});
      const std::size_t own = knob.sample >= 0 ? 0 : sample;
      row += (factor[0] - 1) * centre + factor[1] * sides[0][point][own] + factor[2] * sides[1][point][own];
    }
    return row;
  }

  // F at every point, of the samples that the knob moves, or of all others and what is known.
  std::vector<MatrixXd> information_of(const Knob* knob, bool moved) const {
    std::vector<MatrixXd> F;
    for (std::size_t p = 0; p < problem_.points.size(); ++p) {
      const MatrixXd& known = problem_.points[p].known;
      F.push_back(moved ? MatrixXd::Zero(known.rows(), known.cols()) : known);
      for (std::size_t k = 0; k < samples_.size(); ++k) {
        if ((knob != nullptr && moves(*knob, k)) != moved) continue;
        const MatrixXd row = row_of(p, k);
        F.back().noalias() += row.transpose() * row;
      }
    }
    return F;
  }

  double model_loss() const { return loss(problem_, information_of(nullptr, false), true); }

  // Moves one knob after the other to where the interpolated loss is least; tells the longest move in steps.
  double propose() {
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (Knob& knob : knobs_) minimise(knob);
    double farthest = 0;
    for (const Knob& knob : knobs_) farthest = std::max(farthest, std::abs(knob.value - knob.at[0]) / knob.step);
    return farthest;
  }

  void minimise(Knob& knob) {
    constexpr double golden = 0.6180339887498949;
    double low = std::min({knob.at[0], knob.at[1], knob.at[2]});
    double high = std::max({knob.at[0], knob.at[1], knob.at[2]});
    const std::vector<MatrixXd> others = information_of(&knob, false);
    const auto at = [&](double value) {
      knob.value = value;
      std::vector<MatrixXd> F = information_of(&knob, true);
      for (std::size_t p = 0; p < F.size(); ++p) F[p] += others[p];
      return loss(problem_, F, true);
    };
    double best = knob.value;
    double least = at(best);
    const auto look = [&](double value) {
      const double its = at(value);
      if (its < least) least = its, best = value;
      return its;
    };
    look(low), look(high);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = look(left), at_right = look(right);
    for (int k = 0; k < 24; ++k)
      if (at_left < at_right) {
        high = right, right = left, at_right = at_left;
        at_left = look(left = high - golden * (high - low));
      } else {
        low = left, left = right, at_left = at_right;
        at_right = look(right = low + golden * (high - low));
      }
    knob.value = best;
  }

  Moved finish() const {
    return {.samples = samples_, .settings = settings_, .loss = loss_, .linearizations = linearizations_};
  }

  const Problem& problem_;
  const model::Design& design_;
  int old_;
  const RowsOf& rows_of_;
  std::vector<Sample> samples_;
  std::vector<Setting> settings_;
  std::vector<Knob> knobs_;
  RowsAtPoints rows_;                                                 // of all samples where they are
  std::map<std::pair<int, int>, std::array<RowsAtPoints, 2>> aside_;  // by sample or by factor, on both sides
  double loss_ = std::numeric_limits<double>::infinity();
  int linearizations_ = 0;
};

}  // namespace

Moved refine(const Problem& problem, const model::Design& design, int old, Movable at, const RowsOf& rows,
             const std::function<bool()>& should_stop) {
  return Descent(problem, design, old, at, rows).run(should_stop);
}

}  // namespace salvo::design
