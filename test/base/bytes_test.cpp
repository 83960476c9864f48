#include "base/bytes.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <optional>
#include <variant>

#include "base/helpers.hpp"

namespace salvo {
namespace {

struct Said {
  double number = 0;
  std::optional<double> maybe{};
};

TEST(Bytes, AreReadAgainInTheOrderInWhichTheyWereWritten) {
  const std::vector<double> numbers{-0.0, std::numeric_limits<double>::infinity(), 0x1.fffffffffffffp-1000};
  const std::vector<std::vector<int>> nested{{1, 2}, {}, {3}};
  const std::variant<int, Said> either = Said{2.5, 3.5};
  ByteWriter writer;
  writer(numbers, std::string("a\0b", 3), nested, either, true);

  std::vector<double> numbers_read{7};
  std::string text;
  std::vector<std::vector<int>> nested_read;
  std::variant<int, Said> either_read;
  bool truth = false;
  const std::string bytes = writer.finish();
  ByteReader reader(bytes);
  reader(numbers_read, text, nested_read, either_read, truth);
  EXPECT_TRUE(reader.is_exact());
  EXPECT_EQ(numbers_read, numbers);
  EXPECT_TRUE(std::signbit(numbers_read[0]));
  EXPECT_EQ(text, std::string("a\0b", 3));
  EXPECT_EQ(nested_read, nested);
  EXPECT_EQ(std::get<Said>(either_read).maybe, 3.5);
  EXPECT_TRUE(truth);
}

// What processes ask each other is made of bytes alone.
TEST(Bytes, AreWhatAPartIsAnsweredFrom) {
  const AnswerForPart squares = [](const std::string& question, int part, int parts) {
    std::vector<double> numbers;
    ByteReader asked(question);
    asked(numbers);
    double sum = 0;
    for (std::size_t n = part; n < numbers.size(); n += parts) sum += numbers[n] * numbers[n];
    ByteWriter answer;
    answer(sum);
    return answer.finish();
  };
  std::vector<double> numbers(7);
  std::iota(numbers.begin(), numbers.end(), 1);
  ByteWriter question;
  question(numbers);
  const std::string bytes = question.finish();
  double sum = 0;
  for (int part = 0; part < 3; ++part) {
    double of_part = 0;
    const std::string answer = squares(bytes, part, 3);
    ByteReader reader(answer);
    reader(of_part);
    sum += of_part;
  }
  EXPECT_EQ(sum, 7 * 8 * 15 / 6);
}

// Wherever they are cut off, and however long they say that something is, nothing is read beyond their end.
TEST(Bytes, OfSomethingElseAreSeen) {
  ByteWriter writer;
  writer(std::vector<double>{1, 2}, std::string("text"));
  const std::string bytes = writer.finish();
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    std::vector<double> numbers;
    std::string text;
    ByteReader reader(std::string_view(bytes).substr(0, length));
    reader(numbers, text);
    EXPECT_EQ(reader.is_exact(), length == bytes.size()) << length;
  }
  std::vector<std::vector<int>> many;
  const std::string lie(sizeof(std::size_t), '\x7f');
  ByteReader reader(lie);
  reader(many);
  EXPECT_FALSE(reader.is_exact());
  EXPECT_TRUE(many.empty());
  double number = 0;
  ByteReader longer(bytes);
  longer(number);
  EXPECT_FALSE(longer.is_exact());
}

}  // namespace
}  // namespace salvo
