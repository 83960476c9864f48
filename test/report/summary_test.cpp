#include "report/summary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/json.hpp"
#include "report/lines.hpp"
#include "report/predator_prey.hpp"

namespace salvo::report {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
  return widest;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Digits, FollowTheStandardError) {
  EXPECT_EQ(rounded(1.23456, 0.0123), "1.235");
  EXPECT_EQ(rounded(0.0123, 0.0123), "0.012");
  EXPECT_EQ(rounded(1.5, 0.0996), "1.50") << "0.0996 is 0.10";
  EXPECT_EQ(rounded(12345.6, 321.0), "12346");
  EXPECT_EQ(rounded(2597007, 2597007), "2.6e+06") << "like the estimate 2.79e+07 that it belongs to";
  EXPECT_EQ(rounded(1.23456e-7, 1.2e-9), "1.235e-07");
  EXPECT_EQ(rounded(0, 0.01), "0.000");
}

TEST(Digits, AreSixWithoutAStandardError) {
  EXPECT_EQ(rounded(1.0 / 3), "0.333333");
  EXPECT_EQ(rounded(1e10 / 3), "3.33333e+09");
  EXPECT_EQ(rounded(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Digits, NeverNeedMoreThanTwelveCharacters) {
  for (const double value : {-1.23456789012345e-300, -123456.789, 1e300, -9.99999999e15, 3.0})
    for (const double error : {1e-12, 1e-3, 5.0, 1e20, 0.0})
      EXPECT_LE(rounded(value, error).size(), 12) << value << " " << error;
}

TEST(Lines, AreBrokenBetweenWords) {
  EXPECT_EQ(wrapped("one two three four five six", 2, 22), "  one two three four\n  five six\n");
  EXPECT_EQ(wrapped("see " + std::string(30, 'a') + " there", 0, 22), "see\n" + std::string(30, 'a') + "\nthere\n");
  const std::string text = wrapped(std::string(50, 'a') + " " + std::string(40, 'b') + " c", 2);
  EXPECT_EQ(text, fmt::format("  {}\n  {} c\n", std::string(50, 'a'), std::string(40, 'b')));
}

TEST(FitSummary, GivesTornTrajectoriesNoLikelihood) {
  auto example = test::predator_prey();
  example.result.gap = 0.3;
  example.result.is_torn = true;
  example.result.status = Status::max_time;
  const std::string text = fit_summary(example.problem, example.result, false, terminal_width);
  EXPECT_TRUE(says(text, "no likelihood: the trajectories are not joined")) << text;
  EXPECT_FALSE(says(text, "log-likelihood")) << text;
}

TEST(FitSummary, ShowsEstimatesAndGoodnessOfFit) {
  const auto example = test::predator_prey();
  const std::string text = fit_summary(example.problem, example.result, false);
  EXPECT_TRUE(says(text, "Predator and prey\n"));
  EXPECT_TRUE(says(text, "1.000"));
  EXPECT_TRUE(says(text, "0.976 .. 1.024"));
  EXPECT_TRUE(says(text, "chi2 13.63 with 16 degrees of freedom (p = 0.25)"));
  EXPECT_TRUE(says(text, "gauss-newton on 11 nodes, dopri5: 9 iterations, 0.012 s"));
  EXPECT_TRUE(says(text, "Converged: the step is below the tolerance"));
  EXPECT_FALSE(says(text, "\x1b"));
  EXPECT_TRUE(says(fit_summary(example.problem, example.result, true), "\x1b[32m"));
}

TEST(FitSummary, ShowsUnitsLabelsAndWhatIsDerived) {
  auto example = test::predator_prey();
  example.result.parameters[0].axis = {.unit = "1/h", .label = "uptake"};
  example.result.derived.push_back({.id = "half_life", .axis = {.unit = "h"}, .estimate = 1.5, .standard_error = 0.1});
  const std::string text = fit_summary(example.problem, example.result, false);
  EXPECT_TRUE(says(text, example.result.parameters[0].id + ", uptake (1/h) ")) << text;
  EXPECT_TRUE(says(text, "\n  derived\n  half_life (h) ")) << text;
  EXPECT_LE(widest_line(text), 80u);
}

// Null directions are told by the result's own message, which the summary ends with.
TEST(FitSummary, RemarksOnBoundsAndOnWhatTheDataCannotTell) {
  auto example = test::predator_prey();
  example.result.parameters[0] = {.id = "p1", .estimate = -2, .at_bound = AtBound::lower};
  example.result.parameters[1] = {.id = "p2", .estimate = 3, .identifiable = false};
  const std::string text = fit_summary(example.problem, example.result, false);
  EXPECT_TRUE(says(text, "at lower bound"));
  EXPECT_TRUE(says(text, "not identifiable"));
}

TEST(FitSummary, WarnsOfResidualsThatNoiseDoesNotExplain) {
  auto example = test::predator_prey();
  EXPECT_FALSE(says(fit_summary(example.problem, example.result, false), "larger than the stated noise"));
  example.result.p_value = 1e-7;
  example.result.chi2 = 10. * example.result.measurements;
  EXPECT_TRUE(says(fit_summary(example.problem, example.result, false), "larger than the stated noise"));
}

// Residuals within their noise can be improbable only where priors say something else than the data.
TEST(FitSummary, TellsThatDataAndPriorsContradictEachOther) {
  auto example = test::predator_prey();
  example.result.p_value = 1e-7;
  example.result.chi2 = 0.1 * example.result.measurements;
  const std::string text = fit_summary(example.problem, example.result, false);
  EXPECT_TRUE(says(text, "priors contradict each other"));
  EXPECT_FALSE(says(text, "larger than the stated noise"));
}

TEST(FitSummary, MarksEndsThatWereNotComparedWithTheLikelihood) {
  auto example = test::predator_prey();
  EXPECT_FALSE(says(fit_summary(example.problem, example.result, false), "not compared with the likelihood"));
  example.result.parameters[0].interval = {0.1, 0.3};
  example.result.parameters[0].is_unchecked = true;
  const std::string text = fit_summary(example.problem, example.result, false);
  EXPECT_TRUE(says(text, " ?\n"));
  EXPECT_TRUE(says(text, "? an end of the standard error that was not compared with the likelihood"));
}

TEST(FitSummary, TellsStandardErrorsThatTheCurvatureContradicts) {
  auto example = test::predator_prey();
  EXPECT_FALSE(says(fit_summary(example.problem, example.result, false), "By the curvature"));
  example.result.parameters[0].standard_error_observed = 0.5;
  example.result.parameters[0].errors_differ = true;
  EXPECT_TRUE(says(fit_summary(example.problem, example.result, false), "p1 0.5"));
}

TEST(FitSummary, TablesTheOptimaThatStartsFound) {
  auto example = test::predator_prey();
  const double best = example.result.objective;
  example.result.starts = {
      {.start = 0, .status = Status::converged, .objective = best, .minimum = 0, .parameters = {{"p1", 0.25}}},
      {.start = 3, .status = Status::converged, .objective = best, .minimum = 0, .parameters = {{"p1", 0.25}}},
      {.start = 1, .status = Status::converged, .objective = best + 5, .minimum = 1, .parameters = {{"p1", 7.5}}},
      {.start = 2, .status = Status::stalled, .objective = best, .parameters = {{"p1", 1}}}};
  const std::string text = fit_summary(example.problem, example.result, false);
  EXPECT_TRUE(says(text, "2 optima found from 4 starts")) << text;
  EXPECT_TRUE(says(text, "       2         0.25\n")) << text;
  EXPECT_TRUE(says(text, "       1          7.5\n")) << text;
  EXPECT_LT(text.find(" 0.25\n"), text.find(" 7.5\n"));
  EXPECT_TRUE(says(text, "1 start stalled\n")) << text;
  EXPECT_FALSE(says(text, "not identifiable"));
  example.result.starts[1].parameters[0].second = -0.25;
  EXPECT_TRUE(says(fit_summary(example.problem, example.result, false), "not identifiable"));
}

TEST(FitSummary, SaysWhyStartsFailed) {
  auto example = test::predator_prey();
  const auto failed = [](int start, const std::string& why) {
    return StartResult{.start = start, .status = Status::numerical_failure, .message = why};
  };
  example.result.starts = {{.start = 0, .status = Status::converged, .objective = 1},
                           failed(1, "x1 is too large"),
                           failed(2, "x2 reaches a singularity at t = 3.5"),
                           failed(3, "x2 reaches a singularity at t = 1")};
  const std::string text = fit_summary(example.problem, example.result, false);
  EXPECT_TRUE(says(text, "3 starts failed; the usual reason: x2 reaches a singularity at t = 3.5")) << text;
}

TEST(FitSummary, BreaksNoNumberOnANarrowTerminal) {
  auto example = test::predator_prey();
  example.result.parameters[0] = {.id = "p1",
                                  .estimate = -1.23456e-120,
                                  .standard_error = 9.8765e-122,
                                  .interval = {{-1.43456e-120, -1.03456e-120}},
                                  .at_bound = AtBound::lower};
  example.result.starts = {
      {.start = 0, .status = Status::converged, .objective = 1, .parameters = {{"p1", 0.25}, {"p2", 1}, {"p3", 1}}}};
  for (const std::size_t width : {50, 60, 80}) {
    const std::string text = fit_summary(example.problem, example.result, false, width);
    EXPECT_LE(widest_line(text), static_cast<int>(width)) << text;
    EXPECT_TRUE(says(text, " .. ")) << text;
  }
}

TEST(FitSummary, FitsEightyColumnsWhateverTheNames) {
  auto example = test::predator_prey();
  example.problem.title = std::string(200, 'T');
  example.problem.experiments.push_back({.id = std::string(60, 'e')});
  example.result.message = std::string(300, 'm') + " " + std::string(90, 'n') + " end";
  for (auto& estimate : example.result.parameters) {
    estimate.id += std::string(70, 'p');
    estimate.estimate = -1.23456789e-120;
    estimate.standard_error = 9.87654321e-118;
    estimate.interval = {-1.2345e-117, 1.2345e-117};
    estimate.at_bound = AtBound::upper;
    estimate.identifiable = false;
  }
  for (auto& estimate : example.result.initial) estimate.experiment = std::string(60, 'e');
  NullDirection direction;
  for (int k = 0; k < 40; ++k) direction.parts.push_back({fmt::format("parameter{}", k), -1.0 / 3});
  example.result.null_directions = {direction};
  example.result.constraints = {{.text = std::string(200, 'c'), .active = true}};
  EXPECT_LE(widest_line(fit_summary(example.problem, example.result, false)), 80);
}

TEST(FitSummary, DoesNotPassControlCharactersOn) {
  auto example = test::predator_prey();
  example.problem.title = "\x1b]0;owned\x07";
  example.result.parameters[0].id = "\x1b[2J";
  example.result.message = "\x1b[31m";
  EXPECT_FALSE(says(fit_summary(example.problem, example.result, false), "\x1b"));
}

TEST(EvaluateSummary, ScoresEachObservable) {
  const auto example = test::predator_prey();
  fit::EvaluateResult result;
  result.llh = 12.5;
  result.chi2 = 13.63;
  result.by_observable = {{.values = 11, .chi2 = 6.63, .llh = 6}, {.values = 11, .chi2 = 7, .llh = 6.5}};
  result.gradient = {{"p1", 0.5}};
  const std::string text = evaluate_summary(example.problem, result);
  EXPECT_TRUE(says(text, "log-likelihood 12.5, chi2 13.63, 22 measurements"));
  EXPECT_TRUE(says(text, "  prey "));
  EXPECT_TRUE(says(text, "6.63"));
  EXPECT_TRUE(says(text, "d llh / d theta"));
  EXPECT_LE(widest_line(text), 80);
}

TEST(StudySummary, ComparesSpreadAndCoverage) {
  fit::StudyResult result;
  result.replicates = 100;
  result.converged = 98;
  result.mean_iterations = 7.25;
  result.quantities = {{"p1", 1, 1.00234, 0.0412, 0.0398, 0.94},
                       {std::string(60, 'p'), 1e-9, -1.1e-9, 2e-10, 1e-10, 1}};
  const std::string text = study_summary(result);
  EXPECT_TRUE(says(text, "98 of 100 replicates converged"));
  EXPECT_TRUE(says(text, "1.002"));
  EXPECT_TRUE(says(text, "94.0 %"));
  EXPECT_LE(widest_line(text), 80);
}

TEST(CheckSummary, EndsWithWhatTheFindingsMean) {
  using Level = fit::Finding::Level;
  EXPECT_EQ(check_summary({{Level::good, "2 states"}}),
            fmt::format("{:<9}2 states\nThe problem is sound.\n", fit::to_string(Level::good)));
  EXPECT_NE(check_json({}, {{Level::note, "the rest was left out", true}}).find("unfinished"), std::string::npos);
  EXPECT_EQ(check_summary({{Level::note, "the rest was left out", true}}),
            "note     the rest was left out\nWhat was looked at is sound.\n");
  const std::string text = check_summary({{Level::trouble, std::string(100, 'a') + " b"}, {Level::trouble, "c"}});
  EXPECT_TRUE(says(text, "2 things will give trouble"));
}

TEST(FitSummary, TellsTheCertificateInALine) {
  auto example = test::predator_prey();
  example.result.certificate = {.gain = 1e-9, .rank = 5, .missing = "a saddle"};
  example.result.certificate.probes = {{.direction = {1}, .verdict = solve::Probed::lower, .change = -2}};
  example.result.certificate_ids = {"p1", "p2", "p3", "p4", "x1", "x2"};
  const std::string line = certificate_line(example.result);
  EXPECT_TRUE(says(line, "gains 1e-09")) << line;
  EXPECT_TRUE(says(line, "rank 5 of 6")) << line;
  EXPECT_TRUE(says(line, "a probe found it lower (-2)")) << line;
  EXPECT_TRUE(says(line, "not proved: a saddle")) << line;
}

TEST(FitSummary, LeavesOutWhatTheCertificateDidNotMeasure) {
  auto example = test::predator_prey();
  example.result.certificate = {.gain = 1e-9, .is_of_nodes = true};
  EXPECT_EQ(certificate_line(example.result), "certificate: gap 0, a further step gains 1e-09, of the nodes alone\n");
}

}  // namespace
}  // namespace salvo::report
