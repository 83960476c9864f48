#include "report/page.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "report/helpers.hpp"
#include "report/json.hpp"
#include "report/pictures_json.hpp"
#include "report/predator_prey.hpp"
#include "report/write.hpp"

namespace salvo::report {
namespace {

namespace fs = std::filesystem;

std::string page_of(const test::Example& example, const RunRecord& run = {}) {
  return page_html(fit_json(example.problem, example.result), pictures_json(example.problem, example.result, run));
}

TEST(Page, IsOneFileThatAsksForNothingElse) {
  const std::string page = page_of(test::predator_prey());
  EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* asking : {" src=", "<link", "@import", "fetch("}) EXPECT_EQ(count(page, asking), 0U) << asking;
  EXPECT_EQ(count(page, "url("), count(page, "url(#"));  // within the page itself
  EXPECT_LT(page.size(), 1'500'000U);
}

TEST(Page, KeepsNamesFromTheUsersFilesAsData) {
  auto example = test::predator_prey();
  const int scripts = count(page_of(example), "<script");
  example.problem.title = "</script><script>alert(1)</script>";
  example.problem.observables[0].id = "<img src=x onerror=alert(1)>";
  example.result.parameters[0].id = "<!--";
  const std::string page = page_of(example, {.command = "salvo fit '</script>'"});
  EXPECT_EQ(count(page, "<script"), scripts);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(1)"), std::string::npos);
}

TEST(Page, LeavesACovarianceOutThatNobodyCouldRead) {
  auto example = test::predator_prey();
  example.result.covariance_ids.assign(500, "p");
  example.result.covariance = Matrix(500, 500);
  std::fill(example.result.covariance.data.begin(), example.result.covariance.data.end(), 0.1234567890123);
  EXPECT_LT(page_of(example).size(), 1'000'000U);
}

class Folder : public testing::Test {
 protected:
  Folder() : path(fs::path(testing::TempDir()) / ("salvo_page_" + std::to_string(getpid()))) { fs::remove_all(path); }
  ~Folder() override { fs::remove_all(path); }
  fs::path path;
};

TEST_F(Folder, OfAFitGivesTheSamePageAgain) {
  const auto example = test::predator_prey();
  write_fit(example.problem, example.result, path.string());
  const auto page = page_of_folder(path.string());
  ASSERT_TRUE(page);
  EXPECT_EQ(*page, page_of(example));
}

TEST_F(Folder, WithoutAFitIsRefusedWithEveryReason) {
  const auto nowhere = page_of_folder(path.string());
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.issues().front().message, "there is no such folder");
  fs::create_directories(path);
  std::ofstream(path / "fit.json") << "{\"trace\": [";
  const auto broken = page_of_folder(path.string());
  ASSERT_FALSE(broken);
  ASSERT_EQ(broken.issues().size(), 2U);
  EXPECT_EQ(broken.issues()[0].message, "this is not the file of a fit");
  EXPECT_EQ(broken.issues()[1].message, "there is no such file");
  EXPECT_EQ(broken.issues()[1].kind, Issue::Kind::unreadable);
}

TEST_F(Folder, ThatIsAFileOrHoldsSomethingElseIsRefused) {
  std::ofstream(path) << "{}";
  EXPECT_EQ(page_of_folder(path.string()).issues().front().message, "this is not a folder");
  fs::remove(path);
  fs::create_directories(path / "fit.json");
  std::ofstream(path / "pictures.json") << "{\"film\": 3}";
  const auto strange = page_of_folder(path.string());
  ASSERT_FALSE(strange);
  EXPECT_EQ(strange.issues()[0].message, "this is not an ordinary file");
  EXPECT_EQ(strange.issues()[1].message, "this is not the file of a fit");
}

}  // namespace
}  // namespace salvo::report
