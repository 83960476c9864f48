#pragma once

#include <cstddef>

namespace salvo::report {

// Of the tables on a terminal.
inline constexpr std::size_t number_width = 12;
inline constexpr std::size_t widest_name = 24;

}  // namespace salvo::report
