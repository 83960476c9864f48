#include "model/prior.hpp"

#include "base/contract.hpp"

namespace salvo::model {

PriorRow prior_row(const Estimated& estimated, double scaled, double smoothing, RowsFor purpose) {
  SALVO_EXPECTS(estimated.prior.has_value());
  const Prior& prior = *estimated.prior;
  const double value = prior.on_scale ? scaled : from_scale(estimated.scale, scaled);
  const double value_slope = prior.on_scale ? 1.0 : from_scale_slope(estimated.scale, scaled);
  const NoiseRow row = noise_row(prior.distribution, prior.location, value, prior.spread, smoothing, purpose);
  return {row.llh, row.objective, row.r_g, row.weight_g * value_slope};
}

}  // namespace salvo::model
