#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/tasks.hpp"
#include "base/tasks/crash.hpp"
#include "base/tasks/files.hpp"
#include "base/tasks/journal_board.hpp"
#include "base/tasks/reader.hpp"
#include "base/tasks/writer.hpp"

namespace salvo::journal {
namespace {

namespace fs = std::filesystem;

RunHeader header(const std::string& seed = "1") {
  RunHeader header;
  header.add("command", "fit");
  header.add("--seed", seed);
  return header;
}

class Journal : public testing::Test {
 protected:
  Journal() {
    static int count = 0;
    folder_ = fs::path(SALVO_BINARY_DIR) / "test-folders" /
              ("journal-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    fs::create_directories(folder_);
  }
  ~Journal() override { fs::remove_all(folder_); }

  std::string folder() const { return folder_.string(); }
  std::string text(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return out.str();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  static Line task(int n, const std::string& value) {
    return {{"task", "start"}, {"index", std::to_string(n), true}, {"seconds", "0.5", true}, {"value", value}};
  }
  // A journal with these tasks, of a process that is no more.
  void write_journal(const std::string& name, const std::vector<Line>& lines, const RunHeader& of = header()) const {
    std::string all = text_of(of.line());
    for (const Line& line : lines) all += text_of(line);
    write(name, all);
  }

  fs::path folder_;
};

TEST_F(Journal, IsReadByOthersWhileItIsWritten) {
  Writer writer(folder(), header());
  Reader reader(folder(), header());
  EXPECT_EQ(reader.count("start"), 0);
  writer.append(task(3, "three"));
  EXPECT_FALSE(reader.has("start", 3));
  reader.refresh();
  ASSERT_TRUE(reader.has("start", 3));
  EXPECT_FALSE(reader.has("start", 2));
  EXPECT_FALSE(reader.has("side", 3));
  EXPECT_EQ(reader.result("start", 3)->result, "three");
  EXPECT_EQ(reader.result("start", 3)->seconds, 0.5);
  EXPECT_EQ(reader.count("start"), 1);
  EXPECT_TRUE(is_being_written(writer.path()));
}

TEST_F(Journal, OfAWriterThatWroteNothingIsTakenAway) {
  { Writer writer(folder(), header()); }
  EXPECT_TRUE(journals_in(folder()).empty());
  { Writer(folder(), header()).append(task(1, "one")); }
  ASSERT_EQ(journals_in(folder()).size(), 1U);
  EXPECT_FALSE(is_being_written(folder() + "/" + journals_in(folder()).front()));
}

TEST_F(Journal, OfTheSameProcessHasAnotherName) {
  Writer one(folder(), header());
  Writer two(folder(), header());
  EXPECT_NE(one.path(), two.path());
}

// Whatever the power leaves of the last lines costs these lines and no others.
TEST_F(Journal, IsReadUpToWhereItIsTorn) {
  const std::vector<Line> lines{task(0, "nought"), task(1, "one"), task(2, "two"), task(3, "three")};
  write_journal("journal.a.1.jsonl", lines);
  const std::string whole = text("journal.a.1.jsonl");
  std::vector<std::size_t> ends;
  for (std::size_t at = whole.find('\n'); at != whole.npos; at = whole.find('\n', at + 1)) ends.push_back(at + 1);
  for (std::size_t end = ends[1]; end <= whole.size(); ++end) {
    write("journal.a.1.jsonl", whole.substr(0, end));
    Reader reader(folder(), header());
    int expected = 0;
    for (std::size_t n = 1; n < ends.size(); ++n) expected += end >= ends[n] ? 1 : 0;
    ASSERT_EQ(reader.count("start"), expected) << end;
    ASSERT_EQ(reader.damaged(), 0) << end;
    ASSERT_EQ(reader.result("start", 0)->result, "nought");
  }
}

TEST_F(Journal, WithAChangedLineLosesThatLine) {
  write_journal("journal.a.1.jsonl", {task(0, "nought"), task(1, "one"), task(2, "two")});
  std::string changed = text("journal.a.1.jsonl");
  changed[changed.find("one")] = 'O';
  write("journal.a.1.jsonl", changed);
  Reader reader(folder(), header());
  EXPECT_TRUE(reader.has("start", 0));
  EXPECT_FALSE(reader.has("start", 1));
  EXPECT_TRUE(reader.has("start", 2));
  EXPECT_EQ(reader.damaged(), 1);
}

TEST_F(Journal, OfAnotherRunIsLeftAlone) {
  write_journal("journal.a.1.jsonl", {task(0, "nought")}, header("2"));
  Reader reader(folder(), header());
  EXPECT_EQ(reader.count("start"), 0);
  ASSERT_EQ(reader.strangers().size(), 1U);
  EXPECT_EQ(header().difference_to(reader.strangers()[0].header), "--seed was 2 and is 1");
}

// It is a test of the machines for free.
TEST_F(Journal, WithTwoResultsOfOneTaskNamesBothWriters) {
  write_journal("journal.a.1.jsonl", {task(0, "nought"), task(1, "one")});
  write_journal("journal.b.2.jsonl", {task(1, "one")});
  EXPECT_EQ(Reader(folder(), header()).count("start"), 2);
  write_journal("journal.c.3.jsonl", {task(1, "ONE")});
  try {
    Reader reader(folder(), header());
    ADD_FAILURE() << "not noticed";
  } catch (const std::runtime_error& failure) {
    const std::string words = failure.what();
    EXPECT_NE(words.find("start 1"), std::string::npos) << words;
    EXPECT_NE(words.find("journal.a.1.jsonl"), std::string::npos) << words;
    EXPECT_NE(words.find("journal.c.3.jsonl"), std::string::npos) << words;
  }
}

TEST_F(Journal, IsNeitherALinkNorAPipe) {
  write("victim", text_of(header().line()) + text_of(task(0, "nought")));
  fs::create_symlink(folder_ / "victim", folder_ / "journal.a.1.jsonl");
  ASSERT_EQ(mkfifo((folder_ / "journal.b.2.jsonl").c_str(), 0600), 0);
  fs::create_directory(folder_ / "journal.c.3.jsonl");
  Reader reader(folder(), header());
  EXPECT_EQ(reader.count("start"), 0);
}

TEST_F(Journal, HoldsLinesOfAnyLength) {
  const std::string lengthy(300'000, 'x');
  write_journal("journal.a.1.jsonl", {task(0, lengthy), task(1, "short"), task(2, lengthy)});
  Reader reader(folder(), header());
  EXPECT_EQ(reader.result("start", 2)->result, lengthy);
  EXPECT_EQ(reader.result("start", 1)->result, "short");
  EXPECT_EQ(reader.result("start", 0)->result, lengthy);
}

TEST_F(Journal, ThatIsRemovedIsToldBeforeLong) {
  Writer writer(folder(), header());
  fs::remove(writer.path());
  std::string words;
  for (int n = 0; n < 100 && words.empty(); ++n) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    try {
      writer.append(task(n, "x"));
    } catch (const std::runtime_error& failure) {
      words = failure.what();
    }
  }
  EXPECT_NE(words.find("the file was removed"), std::string::npos) << words;
}

TEST_F(Journal, OnAFullDiskHoldsWholeLinesOnly) {
  const pid_t child = fork();  // whose files may have 10 bytes
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit ten{10, 10};
    setrlimit(RLIMIT_FSIZE, &ten);
    const int file = ::open((folder_ / "small").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    _exit(append_whole(file, "first\n") && !append_whole(file, "second\n") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(text("small"), "first\n");
}

// Where not even its first line can be written, nothing was finished before, and no file stays behind.
TEST_F(Journal, ThatCannotBeBegunLeavesNothing) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit ten{10, 10};
    setrlimit(RLIMIT_FSIZE, &ten);
    try {
      Writer writer(folder(), header());
    } catch (const std::runtime_error& failure) {
      const std::string words = failure.what();
      _exit(words.starts_with("cannot write") && words.find("before") == words.npos ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(journals_in(folder()).empty());
}

// A child that crashes at its task leaves a line that says so.
TEST_F(Journal, TellsOfACrash) {
  const pid_t child = fork();
  if (child == 0) {
    Writer writer(folder(), header());
    writer.begin("start", 7);
    std::signal(SIGSEGV, SIG_DFL);
    record_crashes_in(::open(writer.path().c_str(), O_WRONLY | O_APPEND));
    std::raise(SIGSEGV);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it dies as ever";
  Reader reader(folder(), header());
  EXPECT_EQ(reader.crashes("start", 7), 1);
  EXPECT_EQ(reader.crashes("start", 6), 0);
}

// --- boards ---------------------------------------------------------------------------------------------------------

// What squares come to, and which were computed in this process.
struct Squares {
  std::vector<int> results{};
  std::vector<int> computed{};
};
Squares squares(TaskBoard& board, int count, int threads = 1, const std::string& kind = "start") {
  Squares out;
  Tasks<int> tasks{.list = {kind, count}, .run = [](int n) { return n * n; }, .board = &board};
  tasks.watch.finished = [&](int n, const int&) { out.computed.push_back(n); };
  run_tasks<int>(tasks, threads, [&](int n, const TaskOutcome<int>& outcome) {
    EXPECT_EQ(n, static_cast<int>(out.results.size()));
    out.results.push_back(outcome.result.value_or(outcome.has_crashed ? -2 : -1));
  });
  return out;
}

TEST_F(Journal, OfAFinishedRunLeavesNothingToDo) {
  {
    JournalBoard board(folder(), header());
    EXPECT_EQ(squares(board, 5).computed, (std::vector<int>{0, 1, 2, 3, 4}));
    EXPECT_TRUE(board.is_all_done());
  }
  JournalBoard board(folder(), header());
  const Squares again = squares(board, 5, 3);
  EXPECT_TRUE(again.computed.empty());
  EXPECT_EQ(again.results, (std::vector<int>{0, 1, 4, 9, 16}));
}

TEST_F(Journal, GoesOnWithWhatIsMissingAndWithMore) {
  write_journal("journal.a.1.jsonl", {task(0, " 0x0p+0"), task(2, " 0x1p+2")});
  JournalBoard board(folder(), header());
  const Squares more = squares(board, 6, 2);
  EXPECT_EQ(more.results, (std::vector<int>{0, 1, 4, 9, 16, 25}));
  EXPECT_EQ(std::set<int>(more.computed.begin(), more.computed.end()), (std::set<int>{1, 3, 4, 5}));
  JournalBoard fewer(folder(), header());
  EXPECT_EQ(squares(fewer, 2).results, (std::vector<int>{0, 1}));
}

TEST_F(Journal, GivesEachItsShareAndThenWhatNobodyHasFinished) {
  JournalBoard first(folder(), header(), {.index = 0, .of = 2});
  JournalBoard second(folder(), header(), {.index = 1, .of = 2});
  first.open({"start", 6});
  EXPECT_EQ(first.next(), 0);
  first.keep(0, " 0x0p+0", 0);
  const Squares rest = squares(second, 6);
  ASSERT_EQ(rest.computed.size(), 5U);
  EXPECT_EQ(std::vector<int>(rest.computed.begin(), rest.computed.begin() + 3), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(rest.results, (std::vector<int>{0, 1, 4, 9, 16, 25}));
  while (const std::optional<int> own = first.next()) EXPECT_LT(*own, 3) << "before it looks at what others have done";
}

TEST_F(Journal, GivesThoseWithoutAShareAnOrderOfTheirOwn) {
  JournalBoard first(folder(), header(), {.of = 0});
  JournalBoard second(folder(), header(), {.of = 0});
  first.open({"start", 1000});
  second.open({"start", 1000});
  std::set<int> seen;
  for (int n = 0; n < 50; ++n) {
    seen.insert(*first.next());
    seen.insert(*second.next());
  }
  EXPECT_GT(seen.size(), 80U) << "97 or so, and 50 if they did the same";
}

TEST_F(Journal, GivesOneTaskAlone) {
  JournalBoard board(folder(), header(), {.task = 4});
  EXPECT_EQ(squares(board, 6).computed, (std::vector<int>{4}));
  EXPECT_FALSE(board.is_all_done());
}

TEST_F(Journal, LeavesATaskAloneThatHasCrashedThreeTimes) {
  const Line crash{{"crash", "start"}, {"index", "1", true}, {"signal", "11", true}};
  write_journal("journal.a.1.jsonl", {crash, crash});
  {
    JournalBoard board(folder(), header(), {.task = 1});
    board.open({"start", 3});
    EXPECT_EQ(board.next(), 1);
  }
  write_journal("journal.b.2.jsonl", {crash});
  JournalBoard board(folder(), header());
  EXPECT_EQ(squares(board, 3).results, (std::vector<int>{0, -2, 4}));
  EXPECT_TRUE(board.is_all_done());
}

// A process that was killed without a word may have died of what it was at.
TEST_F(Journal, LeavesForTheEndWhatAProcessWasAtForLong) {
  write_journal("journal.a.1.jsonl", {{{"at", "start"}, {"index", "0", true}}});
  JournalBoard board(folder(), header());
  EXPECT_EQ(squares(board, 3).computed, (std::vector<int>{1, 2, 0}));
}

// Sides of a profile rest on all starts: half of these would give other sides.
TEST_F(Journal, KeepsNothingThatRestsOnHalfAList) {
  JournalBoard board(folder(), header(), {.task = 1});
  squares(board, 3);
  EXPECT_EQ(squares(board, 2, 1, "side").computed, (std::vector<int>{}));
  EXPECT_EQ(Reader(folder(), header()).count("side"), 0);
}

TEST_F(Journal, IsLookedAtWithoutBeingWritten) {
  write_journal("journal.a.1.jsonl", {task(1, " 0x1p+0")});
  const auto board = JournalBoard::to_look_at(folder(), header());
  EXPECT_EQ(squares(*board, 3).results, (std::vector<int>{-1, 1, -1}));
  EXPECT_EQ(journals_in(folder()).size(), 1U);
}

TEST_F(Journal, TellsHowMuchResultsHold) {
  JournalBoard board(folder(), header());
  squares(board, 3);
  EXPECT_EQ(board.reader().written(), 0);
  board.tell_written();
  Reader reader(folder(), header());
  EXPECT_EQ(reader.written(), 3);
  EXPECT_EQ(reader.count_all(), 3);
}

TEST_F(Journal, HoldsNothingOfATaskThatWasCut) {
  JournalBoard board(folder(), header());
  Tasks<int> tasks{.list = {"start", 3}, .run = [](int n) { return n; }, .board = &board};
  tasks.is_whole = [](const int& n) { return n != 1; };
  const auto outcomes = run_tasks(tasks, 1);
  EXPECT_EQ(outcomes[1].result, 1) << "who has done it knows it";
  EXPECT_EQ(Reader(folder(), header()).count("start"), 2);
}

}  // namespace
}  // namespace salvo::journal
