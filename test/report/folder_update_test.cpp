#include "report/folder_update.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "report/helpers.hpp"

namespace salvo::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view names[] = {"a.txt", "b.txt", "c.txt"};

void put(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

class Update : public testing::Test {
 protected:
  Update() : home(fs::path(testing::TempDir()) / ("salvo_update_" + std::to_string(getpid()))), folder(home / "r.fit") {
    fs::remove_all(home);
    fs::create_directories(home);
  }
  ~Update() override { fs::remove_all(home); }

  void update(const std::string& text, std::vector<std::string> files = {"a.txt", "b.txt"}) const {
    FolderUpdate update(folder.string());
    for (const std::string& file : files) update.write(file, text);
    update.finish(names);
  }
  std::vector<std::string> in(const fs::path& where) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(where)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }
  using Names = std::vector<std::string>;

  fs::path home;
  fs::path folder;
};

TEST_F(Update, ReplacesFilesTakesOldOnesAwayAndLeavesNothingBeside) {
  update("old", {"a.txt", "b.txt", "c.txt"});
  update("new");
  EXPECT_EQ(in(folder), (Names{"a.txt", "b.txt"}));
  EXPECT_EQ(content_of(folder / "a.txt") + content_of(folder / "b.txt"), "newnew");
  EXPECT_EQ(in(home), Names{"r.fit"});
}

TEST_F(Update, KeepsWhatTheUserPutThere) {
  update("old");
  put(folder / "notes.txt", "mine");
  fs::permissions(folder, fs::perms::owner_all);
  update("new");
  EXPECT_EQ(content_of(folder / "notes.txt"), "mine");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  fs::create_directories(folder / "figures");
  put(folder / "figures" / "1.svg", "drawn");
  update("newer");
  EXPECT_EQ(in(folder), (Names{"a.txt", "b.txt", "figures", "notes.txt"}));
  EXPECT_EQ(content_of(folder / "figures" / "1.svg"), "drawn");
  EXPECT_EQ(content_of(folder / "b.txt"), "newer");
  EXPECT_EQ(in(home), Names{"r.fit"});
}

TEST_F(Update, WorksInTheFolderWhereTheUserStands) {
  fs::create_directories(folder);
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  FolderUpdate update(".");
  update.write("a.txt", "new");
  update.finish(names);
  EXPECT_EQ(content_of("a.txt"), "new");  // it is still the same folder
  EXPECT_EQ(in("."), Names{"a.txt"});
  fs::current_path(before);
}

// In the folder where the user stands and in one that holds folders, files cannot change by exchanging the folder.
TEST_F(Update, IsSeenWholeOrNotAtAllInAFolderThatHoldsFolders) {
  fs::create_directories(folder / "figures");
  update("0");
  std::atomic<bool> is_over = false;
  int mixed = 0;
  std::thread reader([&] {
    while (!is_over) {
      // What is read second may be newer, but never older; and what is read first again is as new then.
      int seen[3] = {};
      bool are_there = true;  // a link may lead to what has been taken away before it is opened
      for (int k = 0; k < 3; ++k) {
        const std::string text = content_of(folder / (k == 1 ? "b.txt" : "a.txt"));
        are_there = are_there && !text.empty();
        seen[k] = std::atoi(text.c_str());
      }
      if (are_there && (seen[1] < seen[0] || seen[1] > seen[2])) ++mixed;
    }
  });
  for (int n = 1; n < 200; ++n) update(std::to_string(n));
  is_over = true;
  reader.join();
  EXPECT_EQ(mixed, 0);
  EXPECT_EQ(in(folder), (Names{"a.txt", "b.txt", "figures"}));
  EXPECT_FALSE(fs::is_symlink(folder / "a.txt"));
}

TEST_F(Update, TakesUpAFolderWhoseLinksAKilledUpdateHasLeft) {
  fs::create_directories(folder / ".new.salvo-abcdefgh" / "old");
  for (const char* name : {"a.txt", "c.txt"}) {
    put(folder / ".new.salvo-abcdefgh" / "old" / name, "old");
    fs::create_symlink(std::string(".new.salvo-abcdefgh/now/") + name, folder / name);
  }
  fs::create_symlink("old", folder / ".new.salvo-abcdefgh" / "now");
  ASSERT_EQ(content_of(folder / "a.txt"), "old");
  update("new");
  EXPECT_EQ(in(folder), (Names{"a.txt", "b.txt"}));
  EXPECT_EQ(content_of(folder / "a.txt") + content_of(folder / "b.txt"), "newnew");
  EXPECT_FALSE(fs::is_symlink(folder / "a.txt"));
}

TEST_F(Update, IsSeenWholeOrNotAtAll) {
  update("0");
  std::atomic<bool> is_over = false;
  int mixed = 0;
  std::thread reader([&] {
    while (!is_over) {
      const int there = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
      std::string texts[2];
      for (int k = 0; k < 2; ++k) {
        const int file = openat(there, k == 0 ? "a.txt" : "b.txt", O_RDONLY);
        char text[16];
        const ssize_t size = file < 0 ? 0 : read(file, text, sizeof(text));
        texts[k].assign(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        if (file >= 0) close(file);
      }
      if (there >= 0) close(there);
      // A folder that has been replaced is being taken away: some of it may be gone.
      if (!texts[0].empty() && !texts[1].empty() && texts[0] != texts[1]) ++mixed;
    }
  });
  for (int n = 1; n < 200; ++n) update(std::to_string(n));
  is_over = true;
  reader.join();
  EXPECT_EQ(mixed, 0);
}

TEST_F(Update, TakesAwayWhatAKilledUpdateHasLeft) {
  update("old");
  fs::create_directories(home / ".r.fit.salvo-abcdefgh");
  put(home / ".r.fit.salvo-abcdefgh" / "a.txt", "half");
  fs::create_directories(home / ".other.fit.salvo-abcdefgh");  // of another folder
  const fs::path in_use = home / ".r.fit.salvo-12345678";
  fs::create_directories(in_use);
  const int lock = open(in_use.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);  // of a process that is still writing
  update("new");
  EXPECT_EQ(in(home), (Names{".other.fit.salvo-abcdefgh", ".r.fit.salvo-12345678", "r.fit"}));
  close(lock);
}

TEST_F(Update, GivesBackWhatOnlyALeftoverHolds) {
  update("old");
  fs::create_directories(home / ".r.fit.salvo-abcdefgh");
  put(home / ".r.fit.salvo-abcdefgh" / "notes.txt", "mine");
  update("new");
  EXPECT_EQ(content_of(folder / "notes.txt"), "mine");
  EXPECT_EQ(in(home), Names{"r.fit"});
}

TEST_F(Update, ThatIsGivenUpLeavesAllAsItWas) {
  update("old");
  {
    FolderUpdate given_up(folder.string());
    given_up.write("a.txt", "new");
  }
  EXPECT_EQ(content_of(folder / "a.txt"), "old");
  EXPECT_EQ(in(home), Names{"r.fit"});
}

TEST_F(Update, GoesThroughALinkToTheFolderAndThroughNoOther) {
  fs::create_directories(home / "real");
  fs::create_symlink("real", folder);
  put(home / "victim", "untouched");
  fs::create_symlink("../victim", home / "real" / "a.txt");
  update("new");
  EXPECT_TRUE(fs::is_symlink(folder));
  EXPECT_FALSE(fs::is_symlink(home / "real" / "a.txt"));
  EXPECT_EQ(content_of(home / "real" / "a.txt"), "new");
  EXPECT_EQ(content_of(home / "victim"), "untouched");
}

using WriteFile = Update;

TEST_F(WriteFile, ReplacesAnOlderFileAndFollowsNoLink) {
  const fs::path file = home / "a.txt";
  write_file(file, "a long first text");
  write_file(file, "second");
  EXPECT_EQ(content_of(file), "second");
  put(home / "victim", "untouched");
  fs::remove(file);
  fs::create_symlink("victim", file);
  write_file(file, "third");
  EXPECT_EQ(content_of(home / "victim"), "untouched");
  EXPECT_EQ(content_of(file), "third");
  EXPECT_EQ(in(home), (Names{"a.txt", "victim"}));
}

TEST_F(WriteFile, SaysWhyItCannotBeWritten) {
  try {
    write_file((home / "none" / "a.txt").string(), "new");
    FAIL() << "there is no such folder";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write '" + (home / "none" / "a.txt").string() + "': No such file or directory");
  }
}

}  // namespace
}  // namespace salvo::report
