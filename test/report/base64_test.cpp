#include "report/base64.hpp"

#include <gtest/gtest.h>

namespace salvo::report {
namespace {

TEST(Base64, AgreesWithTheExamplesOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, HoldsNumbersWithTheirLittleEndFirst) {
  const std::vector<int> integers{1, -1};
  EXPECT_EQ(base64_of_integers(integers), base64(std::string("\x01\0\0\0\xff\xff\xff\xff", 8)));
  const std::vector<double> one{1.0};  // 0x3ff0000000000000 and 0x3f800000
  EXPECT_EQ(base64_of_doubles(one), base64(std::string("\0\0\0\0\0\0\xf0\x3f", 8)));
  EXPECT_EQ(base64_of_floats(one), base64(std::string("\0\0\x80\x3f", 4)));
}

}  // namespace
}  // namespace salvo::report
