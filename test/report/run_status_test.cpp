#include "report/run_status.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace salvo::report {
namespace {

RunStatus half_done() {
  return {.folder = "run",
          .command = "fit",
          .command_line = "salvo fit p.yaml --starts 1000",
          .lists = {{.kind = "start", .done = 412, .of = 1000, .given_up = 2, .seconds = 824}},
          .processes = 3,
          .threads = 24,
          .seconds_left = 4500};
}

TEST(RunStatusSummary, SaysHowFarAndHowLong) {
  EXPECT_EQ(run_status_summary(half_done()),
            "salvo fit p.yaml --starts 1000\n"
            "  starts     412 of 1000 finished, 2 given up\n"
            "  at work    3 processes, 24 threads\n"
            "  left       75 min\n"
            "  so far     salvo gather run\n");
}

TEST(RunStatusSummary, SaysWhatToDoNext) {
  RunStatus status = half_done();
  status.processes = 0;
  EXPECT_NE(run_status_summary(status).find("salvo work run"), std::string::npos);
  status.lists[0].done = 998;
  EXPECT_TRUE(status.is_done()) << "what crashes again and again is not waited for";
  EXPECT_NE(run_status_summary(status).find("none yet: salvo gather run"), std::string::npos);
  status.is_written = true;
  EXPECT_NE(run_status_summary(status).find("results    run"), std::string::npos);
}

TEST(RunStatusJson, HasEveryList) {
  const nlohmann::json json = nlohmann::json::parse(run_status_json(half_done()));
  EXPECT_EQ(json["lists"][0]["tasks"], "start");
  EXPECT_EQ(json["lists"][0]["done"], 412);
  EXPECT_EQ(json["lists"][0]["of"], 1000);
  EXPECT_EQ(json["seconds_left"], 4500.0);
  EXPECT_EQ(json["done"], false);
  RunStatus idle = half_done();
  idle.seconds_left.reset();
  EXPECT_TRUE(nlohmann::json::parse(run_status_json(idle))["seconds_left"].is_null());
}

}  // namespace
}  // namespace salvo::report
