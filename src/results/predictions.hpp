#pragma once

#include <vector>

namespace salvo {

// A measurement beside what the fit says about it.
struct Prediction {
  int row = 0;  // index in Problem::measurements (or ::validation)
  double simulation = 0;
  double sigma = 0;  // of counts their standard deviation
  double llh = 0;
  double residual = 0;  // (value - simulation) / sigma, on the logarithmic scale where the distribution is
  double score = 0;     // the normal number that is as improbable: the quantile residual
  double noise = 0;     // what the noise law takes: sigma, or the dispersion of counts
};

}  // namespace salvo
