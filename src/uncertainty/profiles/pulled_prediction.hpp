#pragma once

#include <memory>
#include <string>
#include <vector>

#include "estimate/quantities.hpp"
#include "statistics/profile.hpp"
#include "uncertainty/errors.hpp"
#include "uncertainty/profiles/held_fits.hpp"
#include "uncertainty/profiles/options.hpp"

namespace salvo::uncertainty {

// A prediction whose profile is followed: a formula at a time, with a datum that pulls it to other values
// (docs/mathematics.md, section 20).
class PulledPrediction {
 public:
  PulledPrediction(const HeldFits& fits, const std::vector<estimate::Quantity>& all, const Errors& errors,
                   const PredictionWanted& wanted);

  const std::string& id() const { return id_; }  // "low:prey@12"
  // Value, size, error and tangent at the optimum; without a point where it cannot be evaluated.
  const statistics::ProfileTask& task() const { return task_; }
  // By how much it moves with every quantity; empty where the data cannot see it.
  const std::vector<double>& slopes() const { return slopes_; }
  // The best fit that predicts this value.
  statistics::HeldPoint at(double value, const nlp::Point& start) const;

 private:
  void add_datum(const PredictionWanted& wanted);
  void place();
  double size_of(double value, const nlp::Layout& layout, const nlp::Blocks& blocks, int row) const;
  void add_error(const nlp::Layout& layout, const nlp::Blocks& blocks, int row);
  double pulling_sigma(double value) const;
  const nlp::Point& optimum() const { return fits_.optimum().q; }

  const HeldFits& fits_;
  const std::vector<estimate::Quantity>& all_;
  const Errors& errors_;
  std::string id_{};
  model::Problem problem_;  // with one more measurement, that of the prediction
  std::shared_ptr<const compile::CompiledModel> compiled_{};
  statistics::ProfileTask task_{};
  std::vector<double> slopes_{};
};

}  // namespace salvo::uncertainty
