#include "c/border.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/contract.hpp"

namespace salvo::c {
namespace {

template <class Thrown>
std::string told_of(const Thrown& thrown) {
  EXPECT_EQ(guarded([&]() -> int { throw thrown; }), SALVO_FAILED);
  return salvo_last_error();
}

TEST(BorderToC, LetsNoExceptionThrough) {
  EXPECT_EQ(told_of(std::runtime_error("the disk is full")), "the disk is full");
  EXPECT_EQ(told_of(std::bad_alloc()), "the memory is exhausted");
  EXPECT_EQ(told_of(std::length_error("vector")), "the memory is exhausted");
  EXPECT_EQ(told_of(std::system_error(std::make_error_code(std::errc::permission_denied))),
            "the system refused: Permission denied");
  EXPECT_EQ(told_of(std::filesystem::filesystem_error("", "a.csv", std::make_error_code(std::errc::io_error))),
            "'a.csv' cannot be used: Input/output error");
  EXPECT_EQ(told_of(7), "something was thrown that Salvo does not know");
}

TEST(BorderToC, ABrokenRuleDoesNotEndTheProcess) {
  const auto breaks_a_rule = [] {
    SALVO_EXPECTS(1 > 2);
    return 0;
  };
  EXPECT_EQ(guarded(breaks_a_rule), SALVO_FAILED);
  EXPECT_NE(std::string(salvo_last_error()).find("expected 1 > 2"), std::string::npos);
}

TEST(BorderToC, ForgetsWithTheNextCall) {
  guarded([] {
    remember_warnings("odd");
    return refuse(SALVO_INVALID, "wrong");
  });
  EXPECT_STREQ(salvo_last_error(), "wrong");
  EXPECT_STREQ(salvo_last_warnings(), "odd");
  EXPECT_EQ(guarded([] { return 0; }), SALVO_OK);
  EXPECT_STREQ(salvo_last_error(), "");
  EXPECT_STREQ(salvo_last_warnings(), "");
  told_of(std::bad_alloc());
  guarded([] { return 0; });
  EXPECT_STREQ(salvo_last_error(), "");
}

TEST(BorderToC, TheWorstIssueGivesTheCode) {
  const Issue unreadable{.kind = Issue::Kind::unreadable, .message = "a"};
  const Issue invalid{
      .kind = Issue::Kind::invalid, .file = "p.yaml", .line = 2, .column = 3, .message = "b", .hint = "c"};
  const Issue unsupported{.kind = Issue::Kind::unsupported, .message = "d"};
  EXPECT_EQ(refuse({unsupported, invalid, unreadable}), SALVO_WRONG_USE);
  EXPECT_EQ(refuse({unsupported}), SALVO_UNSUPPORTED);
  EXPECT_EQ(refuse({unsupported, invalid}), SALVO_INVALID);
  EXPECT_STREQ(salvo_last_error(), "d\np.yaml:2:3: b\n  hint: c");
}

TEST(BorderToC, KeepsControlCharactersFromTerminals) {
  refuse(SALVO_INVALID, "a\x1b[31m\nb");
  EXPECT_STREQ(salvo_last_error(), "a\uFFFD[31m\nb");
}

}  // namespace
}  // namespace salvo::c
