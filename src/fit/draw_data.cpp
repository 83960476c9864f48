#include "fit/draw_data.hpp"

#include <algorithm>
#include <utility>

namespace salvo::fit {

DataDrawer::DataDrawer(const model::Problem& problem, std::vector<Prediction> at_truth)
    : at_truth_(std::move(at_truth)) {
  std::vector<Limits> of_observable(problem.observables.size());
  for (const model::Measurement& m : problem.measurements) {
    Limits& limits = of_observable[m.observable];
    if (m.censored == model::Censored::below) limits.below = std::max(limits.below, m.value);
    if (m.censored == model::Censored::above) limits.above = std::min(limits.above, m.value);
  }
  for (const model::Measurement& m : problem.measurements) {
    Limits limits = of_observable[m.observable];
    if (m.censored == model::Censored::below) limits.below = m.value;
    if (m.censored == model::Censored::above) limits.above = m.value;
    limits_.push_back(limits);
  }
}

void DataDrawer::put(model::Measurement& m, double value, const Limits& limits) const {
  m.value = std::clamp(value, limits.below, limits.above);
  m.censored = value < limits.below   ? model::Censored::below
               : value > limits.above ? model::Censored::above
                                      : model::Censored::no;
}

void DataDrawer::draw(model::Problem& problem, Random& random) const {
  for (std::size_t i = 0; i < problem.measurements.size(); ++i) {
    model::Measurement& m = problem.measurements[i];
    const model::Law law = problem.observables[m.observable].law();
    put(m, model::draw(law, at_truth_[i].simulation, at_truth_[i].noise, random), limits_[i]);
  }
}

void DataDrawer::put_truth(model::Problem& problem) const {
  for (std::size_t i = 0; i < problem.measurements.size(); ++i)
    put(problem.measurements[i], at_truth_[i].simulation, limits_[i]);
}

}  // namespace salvo::fit
