#include "base/tasks/state_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/random.hpp"
#include "base/tasks/state_keeper.hpp"

namespace salvo::journal {
namespace {

namespace fs = std::filesystem;

RunHeader header_of_seed(const std::string& seed) {
  RunHeader header;
  header.add("--seed", seed);
  return header;
}

class States : public testing::Test {
 protected:
  States() : folder_(fs::path(SALVO_BINARY_DIR) / "test-folders" / ("states-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~States() override { fs::remove_all(folder_); }
  StateFiles files(const std::string& seed = "1") const { return {folder_.string(), header_of_seed(seed)}; }
  fs::path folder_;
};

TEST_F(States, AreReadByTheNextRun) {
  EXPECT_FALSE(files().kept());
  files().keep("first");
  StateFiles again = files();
  EXPECT_EQ(again.kept(), "first");
  again.keep("second");
  again.keep("third");
  EXPECT_EQ(files().kept(), "third");
  EXPECT_TRUE(files().is_there());
  files().remove();
  EXPECT_FALSE(files().is_there());
  EXPECT_TRUE(fs::is_empty(folder_));
}

// Whatever becomes of the newer file, the older one is there.
TEST_F(States, AreWrittenInTurn) {
  StateFiles some = files();
  some.keep("older");
  some.keep("newer");
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path());
  ASSERT_EQ(found.size(), 2U);
  std::set<std::string> left;
  for (const fs::path& path : found) {
    const auto size = fs::file_size(path);
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (std::uintmax_t end = 0; end < size; ++end) {
      std::ofstream(path, std::ios::binary) << text.substr(0, end);
      const auto kept = files().kept();
      ASSERT_TRUE(kept) << end;
      left.insert(*kept);
    }
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(left, (std::set<std::string>{"older", "newer"}));
  EXPECT_EQ(files().kept(), "newer");
}

TEST_F(States, OfAnotherRunAreNotTaken) {
  files("2").keep("of another");
  EXPECT_FALSE(files().kept());
  EXPECT_EQ(files().difference(), "--seed was 2 and is 1");
  EXPECT_EQ(files("2").difference(), "");
}

TEST_F(States, AreNotFollowedAsLinks) {
  files().keep("state");
  const fs::path real = fs::directory_iterator(folder_)->path();
  fs::rename(real, folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", real);
  EXPECT_FALSE(files().kept());
}

TEST_F(States, ThatCannotBeKeptAreTold) {
  std::ofstream(folder_) << "a file where the folder would be";
  StateFiles some = files();
  some.keep("state");
  EXPECT_FALSE(some.trouble().empty());
  fs::remove(folder_);
}

TEST_F(States, OfRandomNumbersGoOnWhereTheyStood) {
  Random random = Random::stream(3, 4);
  random.normal();
  std::optional<Random> again = Random::at_state(random.state());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->bits(), random.bits());
  EXPECT_FALSE(Random::at_state("nothing of the kind"));
}

}  // namespace
}  // namespace salvo::journal
