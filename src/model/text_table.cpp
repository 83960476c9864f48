#include "model/problem.hpp"

namespace salvo::model {

int TextTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i] == name) return static_cast<int>(i);
  return -1;
}

}  // namespace salvo::model
