#include "model/axis.hpp"

namespace salvo::model {

std::string axis_text(const std::string& id, const Axis& axis) {
  const std::string& name = axis.label.empty() ? id : axis.label;
  return axis.unit.empty() ? name : name + " (" + axis.unit + ")";
}

}  // namespace salvo::model
