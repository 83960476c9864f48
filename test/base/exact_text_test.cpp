#include "base/exact_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace salvo {
namespace test {

enum class Colour { red, green };

struct Pair {
  double first = 0;
  std::string second{};
  bool operator==(const Pair&) const = default;
};

// Made of a whole, and of nothing else.
class Half {
 public:
  explicit Half(int whole) : half_(0.5 * whole) {}
  int whole() const { return static_cast<int>(2 * half_); }

 private:
  double half_;
};

}  // namespace test

template <>
struct Parts<test::Pair> {
  static auto of(auto& pair) { return std::tie(pair.first, pair.second); }
};
template <>
struct Parts<test::Half> {
  static std::tuple<int> of(const test::Half& half) { return {half.whole()}; }
  static test::Half made(int whole) { return test::Half(whole); }
};

namespace {

constexpr ExactKind kind{.name = "thing", .version = 3, .a_thing = "a thing", .thing = "the thing"};

template <class T>
std::string written(const T& value) {
  ExactWriter writer(kind);
  writer("value", value);
  return writer.finish();
}
template <class T>
T read_again(const T& value, T again = {}) {
  ExactReader reader(kind, written(value));
  reader("value", again);
  EXPECT_FALSE(reader.trouble()) << reader.trouble()->message;
  return again;
}
template <class T>
std::string complaint(const std::string& text, T value = {}) {
  ExactReader reader(kind, text);
  reader("value", value);
  return reader.trouble() ? reader.trouble()->message : "";
}

TEST(ExactText, KeepsEveryBitOfANumber) {
  using limits = std::numeric_limits<double>;
  for (const double number : {0.0, -0.0, 0.1, -1.0 / 3, limits::max(), limits::min(), limits::denorm_min(),
                              limits::infinity(), -limits::infinity(), 1 + limits::epsilon()})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read_again(number)), std::bit_cast<std::uint64_t>(number)) << number;
  EXPECT_TRUE(std::isnan(read_again(limits::quiet_NaN())));
}

TEST(ExactText, KeepsWhatIsNoDouble) {
  EXPECT_EQ(read_again(-7), -7);
  EXPECT_EQ(read_again(9'007'199'254'740'992L), 9'007'199'254'740'992L);
  EXPECT_TRUE(read_again(true));
  EXPECT_EQ(read_again(test::Colour::green), test::Colour::green);
  for (const std::string text : {"", "a b", "\"quoted\" \\n\nand a second line\n", "sha256 ", "0x1p+0", "Größe"})
    EXPECT_EQ(read_again(text), text);
}

TEST(ExactText, KeepsWhatIsMadeOfOthers) {
  using Lists = std::vector<std::vector<double>>;
  EXPECT_EQ(read_again(Lists{{1, 2.5}, {}, {-3}}), (Lists{{1, 2.5}, {}, {-3}}));
  const std::vector<test::Pair> pairs{{1, "one"}, {2, "and two"}};
  EXPECT_EQ(read_again(pairs), pairs);
  EXPECT_EQ(read_again(std::optional<double>{}, std::optional<double>{4}), std::nullopt);
  EXPECT_EQ(read_again(std::optional<std::vector<int>>{{1, 2}}), (std::vector<int>{1, 2}));
  EXPECT_EQ(read_again(test::Half(7), test::Half(1)).whole(), 7);
  EXPECT_EQ(read_again(std::optional(test::Half(9)))->whole(), 9);
}

TEST(ExactText, IsReadable) {
  const std::string text = written(test::Pair{1.5, "a"});
  EXPECT_EQ(text.substr(0, text.find("sha256")), "salvo thing 3\nvalue 0x1.8p+0 \"a\"\n");
}

TEST(ExactText, SaysWhatIsWrongWithIt) {
  const std::string text = written(2.5);
  EXPECT_EQ(complaint<double>(text), "");
  EXPECT_EQ(complaint<double>(""), "this is not a thing");
  EXPECT_EQ(complaint<double>("salvo other 3\n"), "this is not a thing");
  EXPECT_EQ(complaint<double>("salvo thing 3\nvalue 0x1p+0\n"), "the thing has no end");
  std::string other = text;
  other[other.find("0x1.4p+1") + 4] = '5';
  EXPECT_EQ(complaint<double>(other), "the thing was changed after it was written");
  ExactKind later = kind;
  later.version = 4;
  EXPECT_EQ(complaint<double>(ExactWriter(later).finish()), "the thing is of another version of Salvo");
  EXPECT_EQ(complaint<double>(ExactWriter(kind).finish()), "the thing lacks 'value'");
}

TEST(ExactText, CutAnywhereIsRefused) {
  const std::string text = written(std::vector<test::Pair>{{1, "one"}, {2, "two"}});
  for (std::size_t n = 0; n < text.size(); ++n)
    EXPECT_NE(complaint<std::vector<test::Pair>>(text.substr(0, n)), "") << n;
}

// A line of another value, whose checksum is right.
TEST(ExactText, OfOtherValuesIsRefused) {
  const std::string lacks = "the thing lacks 'value'";
  EXPECT_EQ(complaint<double>(written(std::vector<double>{1, 2})), lacks);  // words are left
  EXPECT_EQ(complaint<std::vector<double>>(written(3.0)), lacks);           // words are missing
  EXPECT_EQ(complaint<std::vector<double>>(written(-3.0)), lacks);          // no count
  EXPECT_EQ(complaint<double>(written(std::string("two"))), lacks);         // no number
  EXPECT_EQ(complaint<std::string>(written(2.0)), lacks);                   // no text
  EXPECT_EQ(complaint<int>(written(1e12)), lacks);                          // too large a number
  EXPECT_EQ(complaint<bool>(written(2.0)), lacks);                          // neither yes nor no
  EXPECT_EQ(complaint<int>(written(std::nan(""))), lacks);                  // none at all
  EXPECT_EQ(complaint(written(std::string("two")), std::optional<test::Half>{}), lacks);
  EXPECT_EQ(complaint(written(true), std::optional<test::Half>{}), lacks);
}

}  // namespace
}  // namespace salvo
