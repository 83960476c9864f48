#pragma once

#include <cstddef>

namespace salvo::report {

// Tables on a terminal have columns of these widths.
inline constexpr std::size_t number_width = 12;
inline constexpr std::size_t widest_name = 24;

}  // namespace salvo::report
