#include "report/write.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "report/helpers.hpp"
#include "report/json.hpp"
#include "report/predator_prey.hpp"
#include "report/summary.hpp"

namespace salvo::report {
namespace {

namespace fs = std::filesystem;

class WriteFit : public testing::Test {
 protected:
  // A folder for each process: tests run side by side.
  WriteFit() : path(fs::path(testing::TempDir()) / ("salvo_write_" + std::to_string(getpid()))) {
    fs::remove_all(path);
  }
  ~WriteFit() override { fs::remove_all(path); }

  fs::path path;
};

TEST_F(WriteFit, LeavesTheFilesOfAFitAndNothingElse) {
  const auto example = test::predator_prey();
  const fs::path folder = path / "deep" / "predator_prey.fit";
  write_fit(example.problem, example.result, folder.string());
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"bands.csv", "estimates.tsv", "fit.json", "pictures.json", "report.html",
                                             "residuals.csv", "solution.svg", "start.svg", "summary.txt",
                                             "trajectories.csv"}));
  EXPECT_EQ(content_of(folder / "fit.json"), fit_json(example.problem, example.result));
  EXPECT_EQ(content_of(folder / "summary.txt"), fit_summary(example.problem, example.result, false));
}

TEST_F(WriteFit, WritesTheTextsThatOthersAreGiven) {
  const auto example = test::predator_prey();
  const RunRecord run{.command = "salvo fit", .seed = 3};
  write_fit(example.problem, example.result, path.string(), run);
  const std::vector<FileText> files = fit_files(example.problem, example.result, run);
  EXPECT_EQ(files.size(), static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {})));
  EXPECT_EQ(files.back().name, "fit.json");
  for (const FileText& file : files) {
    std::string text;
    file.text([&](std::string_view piece) { text += piece; });
    EXPECT_EQ(text, content_of(path / file.name)) << file.name;
  }
}

TEST_F(WriteFit, TablesStartsAndTakesAnOlderTableAway) {
  auto example = test::predator_prey();
  const auto table = path / "starts.csv";
  example.result.starts = {{.start = 0, .status = Status::converged, .objective = 1, .parameters = {{"p1", 2}}}};
  write_fit(example.problem, example.result, path.string());
  EXPECT_TRUE(fs::exists(table));
  example.result.starts.clear();
  write_fit(example.problem, example.result, path.string());
  EXPECT_FALSE(fs::exists(table));
}

TEST_F(WriteFit, SaysWhichFolderCannotBeMade) {
  fs::create_directories(path);
  std::ofstream(path / "file") << "not a folder";
  const std::string folder = path / "file" / "fit";
  const auto example = test::predator_prey();
  try {
    write_fit(example.problem, example.result, folder);
    FAIL() << "a file cannot hold a folder";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot make the folder '" + folder + "'"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace salvo::report
