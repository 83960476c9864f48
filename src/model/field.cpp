#include "model/field.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/contract.hpp"

namespace salvo::model {

PositionTable::PositionTable(std::vector<double> position, std::vector<double> value)
    : position_(std::move(position)), value_(std::move(value)), integral_(position_.size(), 0.0) {
  SALVO_EXPECTS(!position_.empty() && position_.size() == value_.size());
  for (std::size_t i = 1; i < position_.size(); ++i) {
    SALVO_EXPECTS(position_[i - 1] < position_[i]);
    integral_[i] = integral_[i - 1] + (position_[i] - position_[i - 1]) * (value_[i - 1] + value_[i]) / 2;
  }
}

double PositionTable::at(double position) const {
  const auto above = std::upper_bound(position_.begin(), position_.end(), position);
  if (above == position_.begin()) return value_.front();
  if (above == position_.end()) return value_.back();
  const auto i = static_cast<std::size_t>(above - position_.begin());
  const double share = (position - position_[i - 1]) / (position_[i] - position_[i - 1]);
  return value_[i - 1] + share * (value_[i] - value_[i - 1]);
}

double PositionTable::integral(double to) const {
  if (to <= position_.front()) return (to - position_.front()) * value_.front();
  const auto above = std::upper_bound(position_.begin(), position_.end(), to);
  const auto i = static_cast<std::size_t>(above - position_.begin()) - 1;
  return integral_[i] + (to - position_[i]) * (value_[i] + at(to)) / 2;
}

double PositionTable::mean(double from, double to) const {
  SALVO_EXPECTS(from < to);
  return (integral(to) - integral(from)) / (to - from);
}

}  // namespace salvo::model
