#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "report/json.hpp"
#include "runs/folder.hpp"
#include "runs/header.hpp"
#include "runs/prepared_run.hpp"
#include "runs/run_file.hpp"
#include "runs/status.hpp"
#include "runs/team.hpp"
#include "runs/worker.hpp"

// A run that one process begins, and others work on and gather.
namespace salvo::runs {
namespace {

namespace fs = std::filesystem;

class SharedRun : public testing::Test {
 protected:
  SharedRun() {
    static int count = 0;
    home_ = fs::path(SALVO_BINARY_DIR) / "test-folders" /
            ("shared-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    fs::create_directories(home_);
    write("p.yaml",
          "equations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 1, bounds: [0.01, 10]}}\n"
          "observables: {seen: {formula: x, noise: 0.05}}\ndata: data.csv\n");
    write("data.csv", "time,seen\n0.5,0.82\n1,0.58\n2,0.38\n3,0.24\n4,0.11\n");
  }
  ~SharedRun() override { fs::remove_all(home_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(home_ / name, std::ios::binary) << text;
  }
  std::string run() const { return (home_ / "run").string(); }
  RunWords words(const std::string& command, const std::string& count) const {
    RunWords words{.command = command, .problem = (home_ / "p.yaml").string()};
    words.fit.threads = "1";
    (command == "study" ? words.replicates : words.fit.starts) = count;
    return words;
  }
  // Opened by a process that has ended without having done anything.
  void begin(const RunWords& words, bool resume = false) const {
    auto prepared = prepare_run(words);
    ASSERT_TRUE(prepared);
    const auto open = open_run(run(), *prepared, {.resume = resume});
    ASSERT_TRUE(open) << open.issues().front().message;
  }
  static std::string json_of(const PreparedRun& run, const RunResult& result) {
    if (const auto* study = std::get_if<fit::StudyResult>(&result)) return report::study_json(*study);
    FitResult fitted = std::get<FitResult>(result);
    fitted.work.seconds = 0;
    for (StartResult& start : fitted.starts) start.seconds = 0;
    return report::fit_json(run.problem, fitted);
  }
  static std::string alone(const RunWords& words) {
    const auto prepared = prepare_run(words);
    return json_of(*prepared, compute(*prepared, {}));
  }
  std::string gathered() const {
    const auto all = gather(run(), {});
    EXPECT_TRUE(all) << all.issues().front().message;
    return all ? json_of(all->run, all->result) : "";
  }
  static void expect_refused(const Issues& issues, const std::string& text) {
    ASSERT_FALSE(issues.empty());
    EXPECT_NE(issues.front().message.find(text), std::string::npos) << issues.front().message;
  }
  fs::path home_;
};

TEST_F(SharedRun, IsGatheredToWhatOneProcessComesTo) {
  for (const auto& [command, count] : {std::pair{"fit", "7"}, std::pair{"study", "9"}, std::pair{"profile", "2"}}) {
    fs::remove_all(run());
    begin(words(command, count));
    const auto first = work(run(), {.share = 1, .of = 3}, {});
    ASSERT_TRUE(first) << first.issues().front().message;
    EXPECT_TRUE(first->is_done) << "after its share a worker does what nobody has finished";
    EXPECT_EQ(gathered(), alone(words(command, count))) << command;
  }
}

TEST_F(SharedRun, IsSharedByWorkersAtOnce) {
  begin(words("study", "60"));
  std::vector<std::jthread> workers;
  for (int n = 0; n < 3; ++n)
    workers.emplace_back([&, n] {
      const auto done = work(run(), {.share = n, .of = 3, .threads = "1"}, {});
      EXPECT_TRUE(done && done->is_done);
    });
  workers.clear();
  EXPECT_EQ(gathered(), alone(words("study", "60")));
}

TEST_F(SharedRun, IsDoneTaskByTask) {
  begin(words("fit", "3"));
  for (int task = 2; task >= 0; --task) {
    const auto done = work(run(), {.task = task}, {});
    ASSERT_TRUE(done && done->is_done);
    EXPECT_EQ(done->tasks, 1);
  }
  EXPECT_EQ(work(run(), {.task = 1}, {})->tasks, 0) << "it is done already";
  expect_refused(work(run(), {.task = 3}, {}).issues(), "--task 3: the run has 3 tasks");
  EXPECT_EQ(gathered(), alone(words("fit", "3")));
}

TEST_F(SharedRun, IsGatheredBeforeItIsDone) {
  begin(words("study", "5"));
  expect_refused(gather(run(), {}).issues(), "nothing is finished");
  ASSERT_TRUE(work(run(), {.task = 0}, {}));
  ASSERT_TRUE(work(run(), {.task = 3}, {}));
  const auto some = gather(run(), {});
  ASSERT_TRUE(some);
  EXPECT_FALSE(some->is_complete);
  EXPECT_EQ(std::get<fit::StudyResult>(some->result).replicates, 2);
}

TEST_F(SharedRun, IsLeftBeforeItIsDoneWhereItIsTimeToStop) {
  begin(words("study", "5"));
  const auto stopped = work(run(), {}, {.interrupted = [] { return true; }});
  ASSERT_TRUE(stopped);
  EXPECT_FALSE(stopped->is_done);
  const auto late = work(run(), {.max_time = "1e-9"}, {});
  ASSERT_TRUE(late);
  EXPECT_FALSE(late->is_done);
}

TEST_F(SharedRun, TellsHowFarItIs) {
  begin(words("study", "5"));
  EXPECT_EQ(status(run())->lists.front().of, 5);
  ASSERT_TRUE(work(run(), {.task = 2}, {}));
  const auto some = status(run());
  ASSERT_EQ(some->lists.size(), 1U);
  EXPECT_EQ(some->lists[0].kind, "replicate");
  EXPECT_EQ(some->lists[0].done, 1);
  EXPECT_EQ(some->processes, 0);
  EXPECT_FALSE(some->is_done() || some->is_written);
  ASSERT_TRUE(work(run(), {}, {}));
  EXPECT_TRUE(status(run())->is_done());
  EXPECT_FALSE(status(run())->is_written);
  gathered();
  EXPECT_TRUE(status(run())->is_written);
  begin(words("study", "8"), true);
  EXPECT_EQ(status(run())->lists[0].of, 8) << "more were asked for";
}

TEST_F(SharedRun, IsNotWorkedOnWithOtherData) {
  begin(words("fit", "3"));
  write("data.csv", "time,seen\n0.5,0.83\n1,0.58\n2,0.38\n3,0.24\n4,0.11\n");
  expect_refused(work(run(), {}, {}).issues(), "'data.csv' has changed");
  expect_refused(gather(run(), {}).issues(), "'data.csv' has changed");
}

TEST_F(SharedRun, IsNeededToWorkOn) {
  expect_refused(work(run(), {}, {}).issues(), "there is no folder");
  fs::create_directories(run());
  expect_refused(status(run()).issues(), "holds no run");
  write("run/run.jsonl", "something else\n");
  expect_refused(gather(run(), {}).issues(), "cannot be read");
}

TEST_F(SharedRun, OfAProblemInNoFileIsWorkedOnWhereItWasBegun) {
  RunWords nameless = words("fit", "3");
  auto prepared = prepare_run(nameless);
  ASSERT_TRUE(prepared);
  prepared->words.problem.clear();
  ASSERT_TRUE(open_run(run(), *prepared, {}));
  expect_refused(work(run(), {}, {}).issues(), "stands in no file");
}

// What was done to a problem after it was read is part of the run.
TEST_F(SharedRun, OfAChangedProblemIsAnotherOne) {
  auto prepared = prepare_run(words("fit", "3"));
  ASSERT_TRUE(prepared);
  EXPECT_EQ(header_of(*prepared), header_of(*prepared));
  EXPECT_NE(header_of(*prepared), header_of(*prepared, "fixed"));
}

// Names of files are meant from where the run was begun.
TEST_F(SharedRun, IsFoundFromAnywhere) {
  const fs::path before = fs::current_path();
  RunWords here = words("fit", "3");
  here.problem = "p.yaml";
  fs::current_path(home_);
  const std::string expected = alone(here);
  auto prepared = prepare_run(here);
  ASSERT_TRUE(open_run("run", *prepared, {}));
  fs::current_path(before);
  EXPECT_EQ(read_run_file(run())->words.problem, "p.yaml");
  ASSERT_TRUE(work(run(), {}, {})->is_done);
  EXPECT_EQ(gathered(), expected);
}

}  // namespace
}  // namespace salvo::runs
