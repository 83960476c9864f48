#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

class PlotCommand : public testing::Test {
 protected:
  PlotCommand() {
    write_decay(folder_);
    EXPECT_EQ(folder_.salvo("fit decay.yaml --quiet").code, 0);
  }
  Folder folder_;
};

TEST_F(PlotCommand, DrawsAFinishedFit) {
  const Outcome outcome = folder_.salvo("plot decay.fit --width column --height 60 --log values");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string svg = folder_.read("decay.fit/figure.svg");
  EXPECT_TRUE(holds(svg, "width=\"85.00mm\" height=\"60.00mm\"")) << svg.substr(0, 300);
  EXPECT_TRUE(holds(svg, "class=\"curve\""));
  EXPECT_TRUE(holds(svg, "class=\"data\""));
}

TEST_F(PlotCommand, DrawsOneQuantityAgainstAnother) {
  const Outcome outcome = folder_.salvo("plot decay.fit --phase x,x --out phase.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(folder_.read("phase.svg"), "class=\"curve\""));
  const Outcome unknown = folder_.salvo("plot decay.fit --phase x,why");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(holds(unknown.err, "--phase: 'why' is neither a state nor an observable")) << unknown.err;
}

TEST_F(PlotCommand, SaysWhatToInstallWhereTheToolForPdfIsMissing) {
  const Outcome outcome = folder_.salvo("plot decay.fit --out figure.pdf", "PATH=/nowhere");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(holds(outcome.err, "apt-get install librsvg2-bin")) << outcome.err;
  EXPECT_FALSE(folder_.has("figure.pdf"));
  EXPECT_FALSE(folder_.has("figure.pdf.drawing.svg"));
}

// The name of a file with blanks, quotes and a leading minus goes to the tool as it is.
TEST_F(PlotCommand, MakesPdfAndPng) {
  if (std::system("command -v rsvg-convert >/dev/null") != 0) GTEST_SKIP() << "there is no rsvg-convert";
  EXPECT_EQ(folder_.salvo("plot decay.fit --out \"a 'b'.pdf\"").code, 0);
  EXPECT_TRUE(folder_.read("a 'b'.pdf").starts_with("%PDF"));
  EXPECT_EQ(folder_.salvo("plot decay.fit --format png --out ./-c").code, 0);
  EXPECT_TRUE(holds(folder_.read("-c").substr(0, 8), "PNG"));
}

TEST_F(PlotCommand, RefusesWhatItDoesNotKnow) {
  for (const char* words :
       {"--width 3", "--format tiff", "--out figure.tiff", "--log sideways", "--phase x", "--height inf"})
    EXPECT_EQ(folder_.salvo(std::string("plot decay.fit ") + words).code, 1) << words;
  EXPECT_EQ(folder_.salvo("plot nowhere").code, 1);
  EXPECT_EQ(folder_.salvo("plot .").code, 1);
}

}  // namespace
}  // namespace salvo::test
