#include <gtest/gtest.h>

#include "base/tasks/header.hpp"
#include "base/tasks/line.hpp"

namespace salvo::journal {
namespace {

const Line task{{"task", "start"},
                {"index", "17", true},
                {"seconds", "0.52", true},
                {"value", "a \"word\", a \\ and\nan end \x01 Ä"}};

TEST(JournalLine, IsReadAsItWasWritten) {
  const std::string text = text_of(task);
  EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line";
  EXPECT_EQ(line_of(text), task);
  EXPECT_EQ(number_of(task, "index"), 17);
  EXPECT_EQ(number_of(task, "task"), -1);
  EXPECT_EQ(value_of(task, "nothing"), "");
}

// As other programs check it: python3 -c 'import zlib; print(hex(zlib.crc32(b"{\"written\":3")))'.
TEST(JournalLine, EndsWithTheSumOfAllBeforeIt) {
  EXPECT_EQ(text_of({{"written", "3", true}}), "{\"written\":3,\"crc\":\"5696f5a2\"}\n");
}

TEST(JournalLine, IsBelievedOnlyIfItIsWhole) {
  const std::string text = text_of(task);
  for (std::size_t end = 0; end < text.size(); ++end) {
    EXPECT_FALSE(line_of(text.substr(0, end))) << end;
    EXPECT_EQ(line_of(text.substr(0, end) + "\n").has_value(), end + 1 == text.size()) << end;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(line_of(changed)) << at;
  }
}

RunHeader header(const std::string& seed, const std::string& sum) {
  RunHeader header;
  header.add("command", "fit");
  header.add("--seed", seed);
  header.add_file("here/data.csv", sum);
  return header;
}

TEST(JournalHeader, IsReadAsItWasWritten) {
  EXPECT_EQ(RunHeader::from(*line_of(text_of(header("1", "a").line()))), header("1", "a"));
  EXPECT_FALSE(RunHeader::from(task));
}

TEST(JournalHeader, TellsWhatIsDifferent) {
  const RunHeader one = header("1", "a");
  EXPECT_EQ(one.difference_to(one), "");
  EXPECT_EQ(header("2", "a").difference_to(one), "--seed was 1 and is 2");
  EXPECT_EQ(header("", "b").difference_to(one), "--seed was 1 and is not stated; 'data.csv' has changed");
  RunHeader more = one;
  more.add_file("there/data.csv", "c");
  EXPECT_EQ(more.difference_to(one), "'data.csv (2)' was not read then");
  EXPECT_EQ(one.difference_to(more), "'data.csv (2)' is no longer read");
}

}  // namespace
}  // namespace salvo::journal
