#pragma once

#include <utility>

namespace salvo::integrate {

// body(begin), ..., body(end - 1) with numbers known to the compiler, so that zeros of a tableau cost nothing.
template <int begin, int end, class Body>
constexpr void unrolled(const Body& body) {
  [&]<int... offset>(std::integer_sequence<int, offset...>) {
    (body(std::integral_constant<int, begin + offset>{}), ...);
  }
  (std::make_integer_sequence<int, end - begin>{});
}

}  // namespace salvo::integrate
