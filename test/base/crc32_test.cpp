#include "base/crc32.hpp"

#include <gtest/gtest.h>

namespace salvo {
namespace {

// The check value of the polynomial, and what zlib says.
TEST(Crc32, IsThatOfZlib) {
  EXPECT_EQ(crc32("123456789"), 0xcbf43926U);
  EXPECT_EQ(crc32(""), 0U);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414fa339U);
}

}  // namespace
}  // namespace salvo
