#include "report/display_text.hpp"

#include <gtest/gtest.h>

namespace salvo::report {
namespace {

TEST(DisplayText, CountsCharactersNotBytes) { EXPECT_EQ(display_width("\u03C3\u00B2 x"), 4); }

TEST(DisplayText, IsShortenedWithAnEllipsis) {
  EXPECT_EQ(shorten("predator", 8), "predator");
  EXPECT_EQ(shorten("predator", 5), "pred\u2026");
  EXPECT_EQ(shorten("\u03B1\u03B2\u03B3\u03B4", 3), "\u03B1\u03B2\u2026");
}

TEST(DisplayText, LosesControlCharactersAndBrokenBytes) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\uFFFD[31mb");
  EXPECT_EQ(printable("\xC3("), "\uFFFD(");
  EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xC2\x9B"), "\uFFFD\uFFFD") << "a control character beyond ASCII";
  EXPECT_EQ(printable("\u03C3 = 1 \U0001F40D"), "\u03C3 = 1 \U0001F40D");
  EXPECT_EQ(printable("a\nb"), "a\uFFFDb");
  EXPECT_EQ(printable_lines("a\nb\x1b\n\nc\n"), "a\nb\uFFFD\n\nc\n");
}

TEST(DisplayText, StaysTextInXml) {
  EXPECT_EQ(xml_text("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
}

}  // namespace
}  // namespace salvo::report
