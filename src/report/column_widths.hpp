#pragma once

#include <cstddef>

namespace salvo::report {

// Tables on a terminal have columns of these widths.
inline constexpr std::size_t number_width = 12;
inline constexpr std::size_t widest_name = 24;
inline constexpr std::size_t widest_label = 40;  // of a name with its label and its unit

}  // namespace salvo::report
