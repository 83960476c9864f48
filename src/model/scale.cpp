#include <cmath>
#include <numbers>

#include "model/problem.hpp"

namespace salvo::model {

double to_scale(Scale scale, double value) {
  switch (scale) {
    case Scale::lin: return value;
    case Scale::log: return std::log(value);
    case Scale::log10: return std::log10(value);
  }
  return value;
}

double from_scale(Scale scale, double scaled) {
  switch (scale) {
    case Scale::lin: return scaled;
    case Scale::log: return std::exp(scaled);
    case Scale::log10: return std::pow(10.0, scaled);
  }
  return scaled;
}

double from_scale_slope(Scale scale, double scaled) {
  switch (scale) {
    case Scale::lin: return 1.0;
    case Scale::log: return std::exp(scaled);
    case Scale::log10: return std::numbers::ln10 * std::pow(10.0, scaled);
  }
  return 1.0;
}

}  // namespace salvo::model
