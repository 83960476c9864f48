#include "formats/file_source.hpp"

#include <gtest/gtest.h>

#include "formats/folder.hpp"
#include "formats/petab_files.hpp"
#include "formats/problem/read.hpp"
#include "model/digest.hpp"

namespace salvo::formats::file_source_test {
namespace {

const Texts own_files{
    {"problem.yaml",
     "equations: {x: -k*x + u}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
     "observables: {seen: {formula: x, noise: 0.1}}\ninputs: {u: {data: sub/u.csv}}\ndata: data.csv\n"},
    {"data.csv", "time,seen\n1,0.4\n2,0.2\n"},
    {"sub/u.csv", "time,u\n0,1\n3,2\n"}};

TEST(FileSource, GivesAProblemToBeReadWithoutADisk) {
  for (const Texts& files : {own_files, petab_files(), petab_files_of_version_two()}) {
    FileSource source(files);
    const auto problem = read_problem("problem.yaml", {.source = &source});
    ASSERT_TRUE(problem) << to_string(problem.issues().front());
    EXPECT_FALSE(problem->measurements.empty());
  }
}

TEST(FileSource, RemembersWhatAProblemWasReadFromByPathsFromItsFolder) {
  for (const Texts& files : {petab_files(), petab_files_of_version_two()}) {
    const Folder folder(files);
    FileSource disk;
    disk.remember(folder / "problem.yaml");
    const auto here = read_problem(folder / "problem.yaml", {.source = &disk});
    ASSERT_TRUE(here);
    EXPECT_EQ(disk.remembered(), files);
    FileSource given(disk.remembered());
    const auto there = read_problem("problem.yaml", {.source = &given});
    ASSERT_TRUE(there);
    EXPECT_EQ(model::data_digest(*there), model::data_digest(*here));
    EXPECT_EQ(model::model_digest(*there), model::model_digest(*here));
  }
}

TEST(FileSource, HasNothingButWhatIsGiven) {
  const Folder folder({{"data.csv", own_files.at("data.csv")}, {"u.csv", own_files.at("sub/u.csv")}});
  Texts files = own_files;
  files.erase("data.csv");
  files["dato.csv"] = "";
  FileSource source(files);
  const auto problem = read_problem("problem.yaml", {.source = &source});
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.issues().front().message, "the data file 'data.csv' cannot be read: there is no such file");
  EXPECT_EQ(problem.issues().front().hint, "did you mean 'dato.csv'?");
}

TEST(FileSource, TakesOtherDataFromWhatIsGiven) {
  Texts files = own_files;
  files["other.csv"] = "time,seen\n1,0.4\n";
  FileSource source(files);
  const auto problem = read_problem("problem.yaml", {.data = "other.csv", .source = &source});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->measurements.size(), 1U);
}

}  // namespace
}  // namespace salvo::formats::file_source_test
