#include "base/issue.hpp"

#include <gtest/gtest.h>

#include "base/broken_contract.hpp"
#include "base/parallel.hpp"
#include "base/result.hpp"

namespace salvo {
namespace {

TEST(Issue, SaysWhereWhatAndWhatToDo) {
  const Issue issue{
      .file = "problem.yaml", .line = 3, .column = 7, .message = "unknown name 'kk1'", .hint = "did you mean 'k1'?"};
  EXPECT_EQ(to_string(issue), "problem.yaml:3:7: unknown name 'kk1'\n  hint: did you mean 'k1'?");
}

TEST(Issue, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(to_string(Issue{.message = "no data"}), "no data");
  EXPECT_EQ(to_string(Issue{.file = "a.csv", .message = "no data"}), "a.csv: no data");
  EXPECT_EQ(to_string(Issue{.file = "a.csv", .line = 2, .message = "no data"}), "a.csv:2: no data");
  EXPECT_EQ(to_string(Issue{.file = "a.csv", .line = 0, .column = 5, .message = "no data"}), "a.csv: no data");
}

TEST(Issue, TellsAWarningFromAnError) {
  EXPECT_EQ(to_string(Issue{.kind = Issue::Kind::warning, .file = "a.csv", .message = "few data"}),
            "a.csv: warning: few data");
}

TEST(Result, IsAValueOrTheIssues) {
  const Result<int> value(3);
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 3);
  const Result<int> nothing(Issue{.message = "first"});
  ASSERT_FALSE(nothing);
  ASSERT_EQ(nothing.issues().size(), 1U);
  EXPECT_EQ(nothing.issues()[0].message, "first");
}

TEST(ResultDeathTest, StopsTheCallerWhoDoesNotLook) {
  const Result<int> nothing(Issue{.message = "first"});
  EXPECT_DEATH(static_cast<void>(*nothing), "expected");
  const Result<int> value(3);
  EXPECT_DEATH(static_cast<void>(value.issues()), "expected");
}

TEST(ContractDeathTest, NamesTheBrokenRuleAndItsPlace) {
  const int rows = 2;
  SALVO_EXPECTS(rows == 2);
  EXPECT_DEATH(SALVO_EXPECTS(rows == 3), "issue_test.cpp:[0-9]+: expected rows == 3");
}

TEST(ContractDeathTest, ThrowsOnlyWhereTheProcessIsNotOursToEnd) {
  {
    const ContractsThrow outer;
    { const ContractsThrow inner; }
    EXPECT_THROW(SALVO_EXPECTS(1 > 2), BrokenContract);
  }
  EXPECT_DEATH(SALVO_EXPECTS(1 > 2), "salvo: internal error at .*: expected 1 > 2");
}

TEST(ContractDeathTest, ThrowsAcrossALoopOverThreads) {
  const ContractsThrow guard;
  EXPECT_THROW(parallel_for(8, 2, [](int i) { SALVO_EXPECTS(i != 5); }), BrokenContract);
}

}  // namespace
}  // namespace salvo
